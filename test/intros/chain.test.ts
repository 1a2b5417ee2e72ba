// A notification that fails or brings no reaction goes on along its chain, and the whole of it is in the log.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { introTasks } from '../../src/domains/intros/index.ts';
import { until } from '../kit/until.ts';
import { type IntroStage, startIntroStage } from './stage.ts';

let stage: IntroStage;
before(async () => {
  stage = await startIntroStage();
});
after(() => stage.close());

let people = 0;
const someone = (): string => `+4477440${String(10_000 + ++people).slice(1)}1`;
/** Endings that the sandbox fails: refused at once, and after it was accepted. */
const refusing = () => `+447744${String(1000 + ++people)}9010`.slice(0, 15);
const failing = () => `+447744${String(1000 + ++people)}9012`.slice(0, 15);

const byChat = (b: string) => ({
  notify_type: 'CHATAPP',
  notify_to_phone_number: b,
  notify_chatapp_template_name: 'new_lead',
  notify_chatapp_template_params: ['{{APartyDataContactName}}'],
});
const bySms = { notify_sms_from: 'Mill', notify_sms_template: 'A lead: {{APartyDataContactPhonenumber}}' };

const call = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) => {
  const answer = await stage.app.call(method, path, body);
  assert.ok(answer.status < 300, `${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
};
/** What happened around the notification: the event, why, and to whom. */
const storyOf = async (intro: string) =>
  (await stage.logs(intro))
    .filter(({ event }) => /notif|reacted/.test(event))
    .map(({ event, data }) => [event.slice('chat_intro.'.length), data.reason ?? null, data.bparty_number ?? null]);
const story = (intro: string, length: number) =>
  until(`the story has ${length} steps`, async () => {
    const steps = await storyOf(intro);
    return steps.length >= length ? steps : undefined;
  });
const funnelOf = (intro: string) => call('GET', `/v2/chatapp/chat-intros/${intro}/funnel/`);
const meets = async (fields: object) => {
  const reference_id = `chain-${++people}`;
  const intro = await stage.createIntro({ reference_id, reply_message_template: 'Hello', ...fields });
  const a = someone();
  await stage.writes(a, reference_id);
  return { intro, a };
};
const makeAgent = (name: string, numbers: string[], more: object = {}) =>
  call('POST', '/v2/agent-configs/', { name, numbers, ...more });

describe('a notification that fails', () => {
  for (const [title, number] of [
    ['at once', refusing],
    ['on its way', failing],
  ] as const) {
    it(`${title}, with nobody else to tell: NOTIFY_FAILED, and the funnel counts it`, async () => {
      const b = number();
      const { intro } = await meets(byChat(b));
      await stage.advance(5);
      const session = await stage.reaches(intro.uuid, 'NOTIFY_FAILED');
      assert.deepEqual([session.notified, session.notify_failed !== null], [null, true]);
      assert.deepEqual(await story(intro.uuid, 2), [
        ['notified', 'START', b],
        ['notify_failed', null, b],
      ]);
      const { notified, notify_failed } = await funnelOf(intro.uuid);
      assert.deepEqual([notified, notify_failed], [0, 1]);
      const { results } = await call(
        'GET',
        `/v2/chatapp/chat-intro-status-logs/?chat_intro=${intro.uuid}&status=NOTIFY_FAILED`,
      );
      assert.equal(results.length, 1);
    });
  }

  it('goes to B by SMS, and then to the agents with the skill who are at work, each once', async () => {
    const skill = `chain${++people}`;
    const [free, away] = [someone(), someone()];
    await makeAgent('Away', [away], { skills: [skill], away: true });
    const agent = await makeAgent('Free', ['sip:free@example.com', free], { skills: [skill] });
    const b = failing();
    const { intro } = await meets({ ...byChat(b), ...bySms, notify_agents: { skill } });
    await stage.advance(5);
    await story(intro.uuid, 3);
    await stage.advance(5);
    assert.deepEqual(await story(intro.uuid, 5), [
      ['notified', 'START', b],
      ['notify_failed', null, b],
      ['notified', 'NEXT', b],
      ['notify_failed', null, b],
      ['notified', 'NEXT', free],
    ]);
    const steps = (await stage.logs(intro.uuid)).filter(({ event }) => event === 'chat_intro.notified');
    assert.deepEqual(
      steps.map(({ data }) => [data.message !== undefined, data.sms !== undefined, data.agent ?? null]),
      [
        [true, false, null],
        [false, true, null],
        [true, false, agent.uuid],
      ],
    );
    const session = await stage.reaches(intro.uuid, 'NOTIFIED');
    assert.notEqual(session.notified, null);
    const sms = await call('GET', `/v2/send-sms/${steps[1].data.sms}/`);
    assert.equal(sms.text, `A lead: ${session.aparty_number}`);
    const { notified, notify_failed } = await funnelOf(intro.uuid);
    assert.deepEqual([notified, notify_failed], [1, 1]);
  });

  it('after the next was told leaves the session NOTIFIED', async () => {
    // The sandbox tells of this one an hour later that it arrived; the test says that it failed.
    const b = `+447744${String(1000 + ++people)}9020`.slice(0, 15);
    const { intro } = await meets({ ...byChat(b), ...bySms, notify_timeout: 600 });
    const { notify_message: first } = await stage.reaches(intro.uuid, 'NOTIFIED');
    await stage.advance(601);
    await story(intro.uuid, 2);
    const failed = { accountId: stage.app.accountId, uuid: first, description: 'Too late.' };
    const task = introTasks.find(({ name }) => name === 'outbox.failed')!;
    await task.handler(stage.app.deps, [failed]);
    // Whoever hears of it twice does nothing twice.
    await task.handler(stage.app.deps, [failed]);
    assert.deepEqual((await storyOf(intro.uuid)).slice(2), [['notify_failed', null, b]]);
    const session = await stage.session(intro.uuid);
    assert.deepEqual([session.status, session.notified !== null], ['NOTIFIED', true]);
  });

  it('to somebody who opted out is refused, and the next is told', async () => {
    const b = someone();
    await call('POST', '/v2/opt-outs/', { phone_number: b, channel: 'CHATAPP' });
    const { intro } = await meets({ ...byChat(b), ...bySms });
    const steps = await story(intro.uuid, 2);
    assert.deepEqual(steps[0], ['notify_failed', null, b]);
    assert.equal(steps[1]![0], 'notified');
    await stage.reaches(intro.uuid, 'NOTIFIED');
  });
});

describe('a notification without a reaction', () => {
  it('is followed by a reminder, and then by the next in the chain', async () => {
    const b = someone();
    const { intro } = await meets({ ...byChat(b), ...bySms, notify_timeout: 600, notify_reminder: 300 });
    const waiting = await stage.reaches(intro.uuid, 'NOTIFIED');
    assert.notEqual(waiting.notify_due, null);
    await stage.advance(301);
    await story(intro.uuid, 2);
    await stage.advance(301);
    await story(intro.uuid, 3);
    // The SMS is the last of the chain: a reminder, and no more.
    await stage.advance(301);
    assert.deepEqual(await story(intro.uuid, 4), [
      ['notified', 'START', b],
      ['notified', 'REMINDER', b],
      ['notified', 'NEXT', b],
      ['notified', 'REMINDER', b],
    ]);
    await until('nothing is due', async () => (await stage.session(intro.uuid)).notify_due === null);
  });

  for (const [title, react] of [
    ['B writes', async (b: string) => void (await stage.writes(b, 'On it'))],
    ['B opens the link', async (_b: string, link: string) => void (await stage.opens(link))],
  ] as const) {
    it(`${title}: nobody else is told`, async () => {
      const b = someone();
      const { intro } = await meets({ ...byChat(b), ...bySms, notify_timeout: 600, notify_reminder: 300 });
      const { intro_chat_link } = await stage.reaches(intro.uuid, 'NOTIFIED');
      await react(b, intro_chat_link);
      assert.equal((await stage.session(intro.uuid)).notify_due, null);
      await stage.advance(3600);
      const notified = (await storyOf(intro.uuid)).filter(([event]) => event === 'notified');
      assert.deepEqual(notified, [['notified', 'START', b]]);
    });
  }
});

describe('notify_type SMS', () => {
  it('tells B by SMS alone', async () => {
    const b = someone();
    const { intro, a } = await meets({ notify_type: 'SMS', notify_to_phone_number: b, ...bySms });
    const session = await stage.reaches(intro.uuid, 'NOTIFIED');
    assert.equal(session.notify_message, null);
    const { results } = await call('GET', `/v2/sms-records/?to=${encodeURIComponent(b)}`);
    assert.deepEqual(
      results.map(({ text }: { text: string }) => text),
      [`A lead: ${a}`],
    );
  });

  const refused: [title: string, fields: object, errors: object][] = [
    [
      'SMS without its fields',
      { notify_type: 'SMS' },
      Object.fromEntries(
        ['notify_to_phone_number', 'notify_sms_from', 'notify_sms_template'].map((name) => [
          name,
          ['This field is required.'],
        ]),
      ),
    ],
    [
      'a text without a sender',
      { ...byChat('+447700900123'), notify_sms_template: 'Hi' },
      { notify_sms_from: ['This field is required.'] },
    ],
    [
      'a reminder that comes too late',
      { ...byChat('+447700900123'), notify_timeout: 60, notify_reminder: 60 },
      { notify_reminder: ['Ensure this value is less than notify_timeout.'] },
    ],
    ['SMS fields without a type', bySms, { notify_type: ['This field is required.'] }],
  ];
  for (const [title, fields, errors] of refused) {
    it(`400 for ${title}`, async () => {
      const request = { chatapp_number: stage.business, ...fields };
      const { status, body } = await stage.app.call('POST', '/v2/chatapp/chat-intros/', request);
      assert.deepEqual([status, body], [400, errors]);
    });
  }
});

describe('an A who opted out long ago and writes today', () => {
  it('is answered by every step of the intro', async () => {
    const a = someone();
    await call('POST', '/v2/opt-outs/', { phone_number: a });
    await stage.advance(86_400);
    const intro = await stage.createIntro({
      reference_id: 'opted-out-a',
      reply_message_template: 'Hello',
      aparty_notify_chatapp_template_name: 'your_agent',
    });
    await stage.writes(a, 'opted-out-a');
    const types = (await stage.phone(a, 3)).map(({ type }) => type);
    assert.deepEqual(types, ['TEXT', 'TEXT', 'TEMPLATE']);
    assert.deepEqual(
      (await stage.logs(intro.uuid)).filter(({ event }) => event === 'chat_intro.problem'),
      [],
    );
  });
});

describe('webhooks', () => {
  it('can subscribe every event of an intro’s log', async () => {
    const events = [
      ...new Set((await call('GET', '/openapi.json')).components.schemas.ChatIntroEvent.enum as string[]),
    ];
    const { events: subscribed } = await call('POST', '/v2/chatapp/webhooks/', {
      url: 'https://hooks.example/',
      events,
    });
    assert.deepEqual(subscribed, events);
  });
});
