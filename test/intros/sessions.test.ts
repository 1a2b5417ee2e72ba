// Nobody falls silent: what is written in an open session, what is said twice, links that share a text, buttons, late answers.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { until } from '../kit/until.ts';
import { type IntroStage, startIntroStage } from './stage.ts';

let stage: IntroStage;
before(async () => {
  stage = await startIntroStage();
});
after(() => stage.close());

let people = 0;
const someone = (): string => `+4477330${String(10_000 + ++people).slice(1)}1`;

const notifying = (b: string) => ({
  notify_type: 'CHATAPP',
  notify_to_phone_number: b,
  notify_chatapp_template_name: 'new_lead',
  notify_chatapp_template_params: ['{{APartyDataContactName}}', '{{budget}}'],
});
const eventsOf = async (intro: string, kind: string) =>
  (await stage.logs(intro)).filter(({ event }) => event === `chat_intro.${kind}`);
const call = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) => {
  const answer = await stage.app.call(method, path, body);
  assert.ok(answer.status < 300, `${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
};
const sessionsOf = async (number: string) =>
  (await call('GET', `/v2/chatapp/chat-intro-sessions/?aparty_number=${encodeURIComponent(number)}`)).results;
const leadOf = async (intro: string) => (await call('GET', `/v2/chatapp/leads/?chat_intro=${intro}`)).results[0];
const sentTo = async (number: string, atLeast: number) =>
  until(`${number} got ${atLeast} messages`, async () => {
    const got = (await stage.phone(number, 0)).filter(({ direction }) => direction === 'OUTBOUND');
    return got.length >= atLeast ? got : undefined;
  });

describe('what A writes in an open session', () => {
  it('names the session and is sent on like any other message; what names the intro is not', async () => {
    const a = someone();
    const { uuid: config } = await call('POST', '/v2/routing-configs/', {
      name: 'All chats',
      channel: 'CHATAPP',
      routes: [{ conditions: {}, destination: { type: 'WEBHOOK', url: 'https://inbox.example/' } }],
    });
    const intro = await stage.createIntro({ reference_id: 'open-1', reply_message_template: 'Hello' });
    const start = await stage.writes(a, 'open-1');
    const { uuid: session } = await stage.reaches(intro.uuid, 'REPLIED');
    const question = await stage.writes(a, 'Is there a garden?');
    assert.deepEqual(question.context_data, { chat_intro: intro.uuid, session });
    const routed = async (uuid: string) =>
      (await call('GET', `/v2/events/?subject=${uuid}&kind=message.routed`)).results;
    await until('the question is sent on', async () => (await routed(question.uuid))[0]);
    assert.deepEqual(await routed(start.uuid), []);
    await call('DELETE', `/v2/routing-configs/${config}/`);
  });
});

describe('the same reference again', () => {
  // Minutes after the start, and whether A is replied to and B told again.
  const cases: [minutes: number[], heeded: boolean[]][] = [
    [[1], [false]],
    [
      [9, 9.5],
      [false, false],
    ],
    [[11], [true]],
    [
      [11, 30],
      [true, false],
    ],
    [
      [11, 72],
      [true, true],
    ],
  ];
  for (const [index, [minutes, heeded]] of cases.entries()) {
    it(`after ${minutes.join(' and ')} minutes: ${heeded.map((one) => (one ? 'again' : 'logged')).join(', ')}`, async () => {
      const [a, b] = [someone(), someone()];
      const reference_id = `again-${index}`;
      const intro = await stage.createIntro({ reference_id, reply_message_template: 'Hello', ...notifying(b) });
      await stage.writes(a, reference_id);
      await stage.reaches(intro.uuid, 'NOTIFIED');
      let now = 0;
      for (const minute of minutes) {
        await stage.advance((minute - now) * 60);
        now = minute;
        await stage.writes(a, `about ${reference_id}`);
      }
      const times = 1 + heeded.filter(Boolean).length;
      await sentTo(a, times);
      await sentTo(b, times);
      const repeated = await eventsOf(intro.uuid, 'repeated');
      assert.deepEqual(
        repeated.map(({ data }) => data.heeded),
        heeded,
      );
      assert.equal((await eventsOf(intro.uuid, 'replied')).length, times);
      const notified = await eventsOf(intro.uuid, 'notified');
      assert.deepEqual(
        notified.map(({ data }) => data.reason),
        ['START', ...heeded.filter(Boolean).map(() => 'AGAIN')],
      );
      assert.equal((await stage.session(intro.uuid)).status, 'NOTIFIED');
    });
  }
});

describe('two intros with the same expected text', () => {
  const textOf = async (intro: { chat_link: string }) =>
    (await stage.opens(intro.chat_link)).to!.searchParams.get('text') ?? '';
  const codeOf = (intro: { chat_link: string }) => intro.chat_link.split('/').at(-1)!;

  it('auto: both links carry their code once there are two, and each lead reaches its own agent', async () => {
    const expected_message_template = 'I saw your advertisement';
    const one = await stage.createIntro({ expected_message_template, reply_message_template: 'One' });
    assert.equal(await textOf(one), expected_message_template);
    const two = await stage.createIntro({ expected_message_template, reply_message_template: 'Two' });
    assert.equal(await textOf(one), `${expected_message_template} (${codeOf(one)})`);
    const [first, second] = [someone(), someone()];
    const texts = [await textOf(one), await textOf(two)];
    await stage.writes(first, texts[0]!);
    await stage.writes(second, texts[1]!);
    assert.deepEqual((await sentTo(first, 1))[0].text, 'One');
    assert.deepEqual((await sentTo(second, 1))[0].text, 'Two');
    const [{ data }] = await eventsOf(one.uuid, 'started');
    assert.deepEqual([data.how, data.tied], ['SHORTCODE', false]);
  });

  it('always carries one, never does not; a change counts at once; another number is no rival', async () => {
    const expected_message_template = 'I saw your second advertisement';
    const always = await stage.createIntro({ expected_message_template: 'Alone', link_code: 'always' });
    assert.equal(await textOf(always), `Alone (${codeOf(always)})`);
    const never = await stage.createIntro({ expected_message_template, link_code: 'never' });
    const auto = await stage.createIntro({ expected_message_template });
    assert.equal(await textOf(never), expected_message_template);
    assert.equal(await textOf(auto), `${expected_message_template} (${codeOf(auto)})`);
    const changed = await call('PATCH', `/v2/chatapp/chat-intros/${never.uuid}/`, { link_code: 'always' });
    assert.equal(changed.link_code, 'always');
    assert.equal(await textOf(never), `${expected_message_template} (${codeOf(never)})`);
    await call('PATCH', `/v2/chatapp/chat-intros/${never.uuid}/`, { expected_message_template: 'Something else' });
    await call('PATCH', `/v2/chatapp/chat-intros/${auto.uuid}/`, { reply_message_template: 'x' });
    assert.equal(await textOf(auto), expected_message_template);
    const elsewhere = { chatapp_number: '+447700900002', expected_message_template };
    assert.equal(await textOf(await stage.createIntro(elsewhere)), expected_message_template);
  });

  it('400 for a choice that is none', async () => {
    const { status, body } = await stage.app.call('POST', '/v2/chatapp/chat-intros/', {
      chatapp_number: stage.business,
      link_code: 'sometimes',
    });
    assert.deepEqual([status, body], [400, { link_code: ['"sometimes" is not a valid choice.'] }]);
  });
});

describe('a button', () => {
  const quickReply = (buttons: object[]) => ({
    reply_type: 'QUICK_REPLY',
    reply_data: {
      body: { text: 'How?' },
      action: { buttons: buttons.map((button) => ({ type: 'reply', ...button })) },
    },
  });

  it('has the id that its author set, or one by its place, the same in every session', async () => {
    const intro = await stage.createIntro({
      reference_id: 'button-ids',
      ...quickReply([{ title: 'Call', id: 'call' }, { title: 'Write' }]),
    });
    for (const a of [someone(), someone()]) {
      await stage.writes(a, 'button-ids');
      const [{ buttons }] = await sentTo(a, 1);
      assert.deepEqual(
        buttons.map(({ id }: { id: string }) => id),
        ['call', 'button-2'],
      );
    }
    assert.ok(intro.uuid);
  });

  it('that A taps is a step of the session, and may tell B, start another intro or end the session', async () => {
    const [a, b] = [someone(), someone()];
    const other = await stage.createIntro({ reply_message_template: 'Other {{AgentName}}' });
    const intro = await stage.createIntro({
      reference_id: 'button-does',
      ...quickReply([
        { title: 'Now', id: 'now' },
        { title: 'Other', id: 'other' },
        { title: 'Stop', id: 'stop' },
      ]),
      ...notifying(b),
      notify_delay: 3600,
      button_actions: {
        now: { action: 'NOTIFY' },
        other: { action: 'START', chat_intro: other.uuid },
        stop: { action: 'END' },
      },
    });
    await stage.writes(a, 'button-does');
    await sentTo(a, 1);
    await stage.writes(a, { button: { id: 'now', title: 'Now' } });
    await sentTo(b, 1);
    assert.equal((await stage.reaches(intro.uuid, 'NOTIFIED')).notify_due, null);
    await stage.writes(a, { button: { id: 'other', title: 'Other' } });
    await stage.reaches(other.uuid, 'REPLIED');
    const [{ data }] = await eventsOf(other.uuid, 'started');
    assert.equal(data.how, 'BUTTON');
    // The other session is the latest now: the tap says by what it quotes which one it is for.
    const [asked] = await sentTo(a, 2);
    await stage.writes(a, { button: { id: 'stop', title: 'Stop' } }, { context: { message_uuid: asked.uuid } });
    const closed = await stage.reaches(intro.uuid, 'CLOSED');
    assert.equal(closed.open, false);
    assert.equal((await stage.opens(closed.intro_chat_link)).status, 410);
    assert.deepEqual(
      (await eventsOf(intro.uuid, 'answered')).map(({ data: { by, action, answers } }) => [
        by,
        action,
        answers.button_id,
      ]),
      [
        ['APARTY', 'NOTIFY', 'now'],
        ['APARTY', 'START', 'other'],
        ['APARTY', 'END', 'stop'],
      ],
    );
  });

  it('that tells B does so once an hour, however often A taps it', async () => {
    const [a, b] = [someone(), someone()];
    const intro = await stage.createIntro({
      reference_id: 'button-often',
      ...quickReply([{ title: 'Now', id: 'now' }]),
      ...notifying(b),
      button_actions: { now: { action: 'NOTIFY' } },
    });
    const taps = async (times: number) => {
      for (let tap = 0; tap < times; tap++) await stage.writes(a, { button: { id: 'now', title: 'Now' } });
    };
    const heeded = async () => (await eventsOf(intro.uuid, 'answered')).map(({ data }) => data.heeded);
    await stage.writes(a, 'button-often');
    await sentTo(b, 1);
    await taps(3);
    assert.deepEqual(await heeded(), [true, false, false]);
    await stage.advance(3600);
    await taps(2);
    assert.deepEqual(await heeded(), [true, false, false, true, false]);
    assert.equal((await sentTo(b, 3)).length, 3);
  });

  it('that B taps is a step too', async () => {
    const [a, b] = [someone(), someone()];
    const intro = await stage.createIntro({
      reference_id: 'button-of-b',
      ...notifying(b),
      button_actions: { done: { action: 'END' } },
    });
    await stage.writes(a, 'button-of-b');
    const [notice] = await sentTo(b, 1);
    const tap = await stage.writes(
      b,
      { button: { id: 'done', title: 'Done' } },
      { context: { message_uuid: notice.uuid } },
    );
    const closed = await stage.reaches(intro.uuid, 'CLOSED');
    assert.equal(tap.context_data.session, closed.uuid);
    assert.notEqual(closed.reacted, null);
    const [{ data }] = await eventsOf(intro.uuid, 'closed');
    assert.equal(data.by, 'BPARTY');
    // What A answered is in the session; what B tapped is not A's answer.
    assert.equal(closed.variables.button_id, undefined);
  });

  const refused: [title: string, actions: object, errors: object][] = [
    ['START without an intro', { x: { action: 'START' } }, { x: { chat_intro: ['This field is required.'] } }],
    [
      'an intro that is not there',
      { x: { action: 'START', chat_intro: '01890000-0000-7000-8000-000000000000' } },
      { x: { chat_intro: ['Not found.'] } },
    ],
    ['an unknown action', { x: { action: 'JUMP' } }, { x: { action: ['"JUMP" is not a valid choice.'] } }],
  ];
  for (const [title, button_actions, errors] of refused) {
    it(`400 for ${title}`, async () => {
      const request = { chatapp_number: stage.business, button_actions };
      const { status, body } = await stage.app.call('POST', '/v2/chatapp/chat-intros/', request);
      assert.deepEqual([status, body], [400, { button_actions: errors }]);
    });
  }
});

describe('the answers of a flow', () => {
  const asking = (b: string) => ({
    ...notifying(b),
    reply_type: 'FLOW',
    reply_data: {
      body: { text: 'Two questions' },
      action: { name: 'flow', parameters: { flow_id: '1', flow_cta: 'Start', flow_token: '' } },
    },
  });

  it('before the delay is over: B is told at once, with them, and once', async () => {
    const [a, b] = [someone(), someone()];
    const intro = await stage.createIntro({ reference_id: 'flow-early', ...asking(b), notify_delay: 30 });
    await stage.writes(a, 'flow-early');
    await sentTo(a, 1);
    await stage.writes(a, { flow: { answers: { budget: '500000' } } });
    assert.match(JSON.stringify(await sentTo(b, 1)), /500000/);
    await stage.advance(60);
    assert.equal((await eventsOf(intro.uuid, 'notified')).length, 1);
    assert.deepEqual((await leadOf(intro.uuid)).answers, { budget: '500000' });
  });

  it('after it: B hears of them as an update, by the template or, having written, by a text; they stand in the lead', async () => {
    const [a, b] = [someone(), someone()];
    const intro = await stage.createIntro({ reference_id: 'flow-late', ...asking(b) });
    await stage.writes(a, 'flow-late', { name: 'Ana' });
    await sentTo(b, 1);
    await stage.writes(a, { flow: { answers: { budget: '500000' } } });
    const [, update] = await sentTo(b, 2);
    assert.deepEqual([update.type, /500000/.test(JSON.stringify(update))], ['TEMPLATE', true]);
    await stage.writes(b, 'On my way');
    await stage.writes(a, { flow: { answers: { when: 'May' } } });
    const [, , text] = await sentTo(b, 3);
    assert.deepEqual([text.type, text.text], ['TEXT', `Ana (${a})\nbudget: 500000\nwhen: May`]);
    assert.deepEqual((await leadOf(intro.uuid)).answers, { budget: '500000', when: 'May' });
    assert.deepEqual(
      (await eventsOf(intro.uuid, 'notified')).map(({ data }) => data.reason),
      ['START', 'ANSWERS', 'ANSWERS'],
    );
  });
});

describe('/v2/chatapp/chat-intro-sessions/', () => {
  it('shows the sessions of a person across intros, in any notation, and closes one', async () => {
    const a = someone();
    const intros = [
      await stage.createIntro({ reference_id: 'across-1' }),
      await stage.createIntro({ reference_id: 'across-2' }),
    ];
    await stage.writes(a, 'across-1');
    await stage.writes(a, 'across-2');
    const found = await sessionsOf(a.replace('+44', '00 44 (0) '));
    assert.deepEqual(
      found.map(({ chat_intro }: { chat_intro: string }) => chat_intro).toSorted(),
      intros.map(({ uuid }) => uuid).toSorted(),
    );
    const place = `/v2/chatapp/chat-intro-sessions/${found[0].uuid}/`;
    assert.deepEqual(await call('GET', place), found[0]);
    const closed = await call('POST', `${place}close/`, {});
    assert.deepEqual([closed.status, closed.open], ['CLOSED', false]);
    // Once is enough.
    assert.equal((await call('POST', `${place}close/`, {})).status, 'CLOSED');
    assert.equal((await eventsOf(closed.chat_intro, 'closed')).length, 1);
    const foreign = { token: stage.app.otherToken };
    assert.equal((await stage.app.call('GET', place, undefined, foreign)).status, 404);
    assert.equal((await stage.app.call('POST', `${place}close/`, {}, foreign)).status, 404);
    // Who writes again begins anew.
    await stage.writes(a, found[0].chat_intro === intros[0].uuid ? 'across-1' : 'across-2');
    assert.equal((await sessionsOf(a)).length, 3);
  });
});
