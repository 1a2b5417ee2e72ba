// What nobody plans for: each is defined, leaves a line in the log, and hurts nobody.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { makeInbox } from '../../src/domains/inbound/index.ts';
import { startTestApp } from '../kit/app.ts';
import { until } from '../kit/until.ts';
import { type IntroStage, startIntroStage } from './stage.ts';

let stage: IntroStage;
before(async () => {
  stage = await startIntroStage();
});
after(() => stage.close());

let people = 0;
const someone = (): string => `+4477220${String(10_000 + ++people).slice(1)}1`;
const eventsOf = async (intro: string, kind: string) =>
  (await stage.logs(intro)).filter(({ event }) => event === `chat_intro.${kind}`);
const notifying = (b: string) => ({
  notify_type: 'CHATAPP',
  notify_to_phone_number: b,
  notify_chatapp_template_name: 'new_lead',
});

describe('the start operation', () => {
  const start = (intro: string, body: object) =>
    stage.app.call('POST', `/v2/chatapp/chat-intros/${intro}/start/`, body);

  it('outside the 24 hours sends the templates; 400 when there is none', async () => {
    const [a, b] = [someone(), someone()];
    const plain = await stage.createIntro({ reply_message_template: 'Hello' });
    const refused = await start(plain.uuid, { aparty_number: a });
    assert.deepEqual([refused.status, refused.body.code], [400, 'window_closed']);

    const intro = await stage.createIntro({
      reply_message_template: 'Hello',
      ...notifying(b),
      notify_chatapp_template_params: ['{{AgentName}}', '{{APartyDataContactName}}'],
    });
    const { status, body } = await start(intro.uuid, {
      aparty_number: a,
      aparty_name: 'Ana',
      variables: { AgentName: 'Ada' },
    });
    assert.equal(status, 201);
    assert.equal(body.status, 'NOTIFIED');
    assert.equal(body.reply_message, null);
    const [notice] = await stage.phone(b, 1);
    assert.match(JSON.stringify(notice), /Ada.*Ana/s);
    const again = await start(intro.uuid, { aparty_number: a });
    assert.deepEqual([again.status, again.body.uuid], [200, body.uuid]);
  });

  it('within them replies too; the business itself cannot be introduced; another tenant sees nothing', async () => {
    const a = someone();
    await stage.writes(a, 'good morning');
    const intro = await stage.createIntro({ reply_message_template: 'Hello {{Name}}' });
    const { status, body } = await start(intro.uuid, { aparty_number: a, variables: { Name: '{{x}}' } });
    assert.deepEqual([status, body.status], [201, 'REPLIED']);
    const [, reply] = await stage.phone(a, 2);
    assert.equal(reply.text, 'Hello {{x}}');
    assert.deepEqual((await start(intro.uuid, { aparty_number: stage.business })).body, {
      aparty_number: ['This is the number of the business itself.'],
    });
    const foreign = await stage.app.call(
      'POST',
      `/v2/chatapp/chat-intros/${intro.uuid}/start/`,
      { aparty_number: a },
      { token: stage.app.otherToken },
    );
    assert.equal(foreign.status, 404);
  });
});

describe('an odd intro', () => {
  it('a template that renders to nothing starts the session and says nothing', async () => {
    const a = someone();
    const intro = await stage.createIntro({ reference_id: 'odd-nothing', reply_message_template: '{{Missing}}' });
    await stage.writes(a, 'odd-nothing');
    const session = await until('there is a session', () => stage.session(intro.uuid));
    assert.equal(session.status, 'STARTED');
    assert.equal((await stage.phone(a, 1)).length, 1);
  });

  it('with placeholders that have no value notes them and goes on', async () => {
    const a = someone();
    const intro = await stage.createIntro({ reference_id: 'odd-missing', reply_message_template: 'Hi {{Nobody}}!' });
    await stage.writes(a, 'odd-missing');
    const [, reply] = await stage.phone(a, 2);
    assert.equal(reply.text, 'Hi !');
    const [replied] = await eventsOf(intro.uuid, 'replied');
    assert.deepEqual(replied.data.missing, ['Nobody']);
  });

  it('an empty expected text matches no message, not even an empty one', async () => {
    const a = someone();
    const intro = await stage.createIntro({ expected_message_template: ' ', reply_message_template: 'Hello' });
    await stage.writes(a, 'anything');
    assert.equal(await stage.session(intro.uuid), undefined);
  });

  it('a placeholder bomb in a message is only a message', async () => {
    const a = someone();
    const message = await stage.writes(a, '{{'.repeat(2000));
    assert.equal(message.status, 'RECEIVED');
  });

  it('many with the same expected text: one wins, and the tie is logged', async () => {
    const text = 'The very same words';
    const made = await Promise.all(
      Array.from({ length: 5 }, () =>
        stage.createIntro({ expected_message_template: text, reply_message_template: 'Mine' }),
      ),
    );
    const wanted = made[2]!;
    await stage.opens(wanted.chat_link);
    await until('the click is noted', async () => (await eventsOf(wanted.uuid, 'clicked')).length > 0);
    const a = someone();
    await stage.writes(a, text);
    await stage.phone(a, 2);
    const [started] = await eventsOf(wanted.uuid, 'started');
    assert.equal(started.data.tied, true);
  });

  it('a number that writes to itself is heard and not introduced', async () => {
    const intro = await stage.createIntro({ reference_id: 'odd-self', reply_message_template: 'Hello' });
    await stage.writes(stage.business, 'odd-self');
    assert.equal(await stage.session(intro.uuid), undefined);
  });

  it('A who is also B gets the reply and no notification', async () => {
    const a = someone();
    const intro = await stage.createIntro({
      reference_id: 'odd-both',
      reply_message_template: 'Hello',
      ...notifying(a),
    });
    await stage.writes(a, 'odd-both');
    assert.equal((await stage.phone(a, 2)).length, 2);
    const [problem] = await eventsOf(intro.uuid, 'problem');
    assert.deepEqual(
      [problem.data.step, problem.data.description],
      ['notify', 'The person to notify is the one who wrote the message.'],
    );
    assert.equal((await stage.session(intro.uuid)).status, 'REPLIED');
  });

  it('a notification to an opted-out B is not sent, and says why', async () => {
    const [a, b] = [someone(), someone()];
    await stage.app.call('POST', '/v2/opt-outs/', { phone_number: b });
    const intro = await stage.createIntro({
      reference_id: 'odd-out',
      reply_message_template: 'Hello',
      ...notifying(b),
    });
    await stage.writes(a, 'odd-out');
    await stage.phone(a, 2);
    const [problem] = await eventsOf(intro.uuid, 'problem');
    assert.match(problem.data.description, /opted out/);
  });

  it('deleted in the middle of a session: nobody is notified any more, the links are gone, the log stays', async () => {
    const [a, b] = [someone(), someone()];
    const intro = await stage.createIntro({
      reference_id: 'odd-deleted',
      reply_message_template: 'Hello',
      ...notifying(b),
      notify_delay: 600,
    });
    await stage.writes(a, 'odd-deleted');
    const session = await stage.reaches(intro.uuid, 'REPLIED');
    assert.equal((await stage.app.call('DELETE', `/v2/chatapp/chat-intros/${intro.uuid}/`)).status, 204);
    await stage.advance(601);
    const [problem] = await until('the problem is noted', async () => {
      const found = await eventsOf(intro.uuid, 'problem');
      return found.length > 0 ? found : undefined;
    });
    assert.equal(problem.data.description, 'The intro was deleted.');
    assert.equal((await stage.opens(session.intro_chat_link)).status, 410);
    assert.equal((await stage.opens(intro.chat_link)).status, 410);
  });

  it('changed in the middle of a session: the session goes by what it was', async () => {
    const [a, b] = [someone(), someone()];
    const intro = await stage.createIntro({
      reference_id: 'odd-changed',
      reply_message_template: 'Hello',
      ...notifying(b),
      notify_delay: 600,
      notify_chatapp_template_params: ['before'],
    });
    await stage.writes(a, 'odd-changed');
    await stage.reaches(intro.uuid, 'REPLIED');
    await stage.app.call('PATCH', `/v2/chatapp/chat-intros/${intro.uuid}/`, {
      notify_chatapp_template_params: ['after'],
    });
    await stage.advance(601);
    const [notice] = await stage.phone(b, 1);
    assert.match(JSON.stringify(notice), /before/);
  });
});

describe('two messages of one person at the same moment', () => {
  it('on two processes start one session and get one reply', async () => {
    const a = someone();
    const intro = await stage.createIntro({ reference_id: 'odd-twice', reply_message_template: 'Hello' });
    const { deps } = stage.app;
    const inbox = makeInbox(deps);
    const event = (id: string) => ({
      kind: 'message' as const,
      sender: { number: stage.business },
      id,
      from: { number: a, userId: null },
      name: '',
      type: 'TEXT' as const,
      content: { text: { body: 'odd-twice' } },
      context: {},
      at: new Date(),
    });
    await Promise.all(
      Array.from({ length: 8 }, (_, index) => inbox.receive(stage.app.accountId, 'sandbox', [event(`twice-${index}`)])),
    );
    await stage.reaches(intro.uuid, 'REPLIED');
    assert.equal((await eventsOf(intro.uuid, 'started')).length, 1);
    assert.equal((await eventsOf(intro.uuid, 'replied')).length, 1);
  });
});

describe('webhooks of chat intros', () => {
  it('tell each step with the intro it is about', async () => {
    const app = await startTestApp({ ROLES: 'api', PUBLIC_URL: 'https://parley.example' });
    try {
      const events = ['chat_intro.started', 'chat_intro.replied', 'chat_intro.notified', 'chatapp.lead.created'];
      await app.call('POST', '/v2/chatapp/webhooks/', { url: 'https://hooks.example/parley', events });
      const intro = (
        await app.call('POST', '/v2/chatapp/chat-intros/', {
          chatapp_number: stage.business,
          reference_id: 'hooked',
          reply_message_template: 'Hello',
          meta_data: { listing: 7 },
          ...notifying('+447722099991'),
        })
      ).body;
      await app.call('POST', '/v2/sandbox/chatapp/messages/', {
        from: '+447722099992',
        to: stage.business,
        text: { body: 'hooked' },
      });
      const { results } = (await app.call('GET', '/v2/webhook-deliveries/')).body;
      assert.deepEqual(results.map(({ type }: { type: string }) => type).sort(), events.toSorted());
      const started = results.find(({ type }: { type: string }) => type === 'chat_intro.started');
      const { data } = (await app.call('GET', `/v2/webhook-deliveries/${started.uuid}/`)).body.payload;
      assert.deepEqual([data.chat_intro, data.meta_data], [intro.uuid, { listing: 7 }]);
    } finally {
      await app.close();
    }
  });
});
