// What the words STOP, START, YES, HELP and INFO do, and to whom they go when they do nothing.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../kit/app.ts';
import { until } from '../kit/until.ts';

const business = '+442079461000';
const intros = '+442079461001';
const desk = '+447700900401';
let app: TestApp;
before(async () => {
  app = await startTestApp();
  // Who gets what is routed has written before.
  await say('CHATAPP', desk, 'hello');
  for (const channel of ['CHATAPP', 'SMS']) {
    const destination = { type: 'WEBHOOK', url: 'https://example.com/told' };
    await post('/v2/routing-configs/', {
      name: channel,
      channel,
      numbers: [business],
      routes: [{ name: 'Information', conditions: { keywords: ['info'] }, destination }],
      fallback: destination,
    });
  }
  await post('/v2/chatapp/chat-intros/', { chatapp_number: intros, expected_message_template: 'YES', reply: {} });
});
after(() => app.close());

async function post(url: string, body: object) {
  const answer = await app.call('POST', url, body);
  assert.equal(answer.status, 201, `${url} ${JSON.stringify(answer.body)}`);
  return answer.body;
}
type Channel = 'CHATAPP' | 'SMS';
async function say(channel: Channel, from: string, text: string, to = business): Promise<string> {
  const [url, content] =
    channel === 'SMS' ? ['/v2/sandbox/sms/', { text }] : ['/v2/sandbox/chatapp/messages/', { text: { body: text } }];
  return (await post(url, { from, to, ...content })).uuid;
}
const set = async (settings: object) => assert.equal((await app.call('PATCH', '/v2/account/', settings)).status, 200);
let people = 0;
const somebody = (): string => `+4477009005${String(++people).padStart(2, '0')}`;
const isOut = async (person: string): Promise<boolean> =>
  (await app.call('GET', `/v2/opt-outs/?number=${encodeURIComponent(person)}`)).body.count > 0;
const kindsOf = async (uuid: string): Promise<string[]> =>
  (await app.call('GET', `/v2/events/?subject=${uuid}`)).body.results.map((event: { kind: string }) => event.kind);
const isRouted = (uuid: string) =>
  until(async () => (await kindsOf(uuid)).some((kind) => kind.endsWith('.routed') || kind.endsWith('.not_routed')));
/** What was sent to somebody in answer. */
async function answersTo(channel: Channel, person: string): Promise<string[]> {
  const to = encodeURIComponent(person);
  const url = channel === 'SMS' ? `/v2/sms-records/?to=${to}` : `/v2/chatapp/messages/?to=${to}`;
  const { results } = (await app.call('GET', url)).body;
  return results.map((one: { text?: string; message_data?: { text: { body: string } } }) =>
    channel === 'SMS' ? one.text : one.message_data?.text.body,
  );
}

for (const channel of ['CHATAPP', 'SMS'] as const) {
  describe(`By ${channel}`, () => {
    it('STOP opts out, START opts in again; START and YES of anybody else are messages like others', async () => {
      const person = somebody();
      for (const word of ['START', 'yes']) await isRouted(await say(channel, person, word));
      await say(channel, person, 'Stop.');
      assert.equal(await isOut(person), true);
      const back = await say(channel, person, 'YES!');
      assert.equal(await isOut(person), false);
      assert.deepEqual(
        (await kindsOf(back)).filter((kind) => kind.endsWith('routed')),
        [],
      );
    });

    it('a rule that waits for INFO comes before the answer to it', async () => {
      await set({ help_text: 'Call us on 020 7946 0000.' });
      const person = somebody();
      await isRouted(await say(channel, person, 'Info'));
      await say(channel, person, 'HELP');
      assert.deepEqual(await answersTo(channel, person), ['Call us on 020 7946 0000.']);
      await set({ help_text: null });
    });

    it('a word that the account adds opts out', async () => {
      const person = somebody();
      await say(channel, person, 'Отписаться');
      assert.equal(await isOut(person), false);
      await set({ opt_out_keywords: ['отписаться'] });
      await say(channel, person, 'Отписаться');
      assert.equal(await isOut(person), true);
      await set({ opt_out_keywords: [] });
    });
  });
}

it('without a text of the account HELP is a message like others in chats, and answered in texts', async () => {
  const person = somebody();
  await isRouted(await say('CHATAPP', person, 'HELP'));
  assert.deepEqual(await answersTo('CHATAPP', person), []);
  await say('SMS', person, 'HELP');
  assert.match((await answersTo('SMS', person))[0]!, /^Reply STOP/);
});

it('CANCEL and END opt out of texts, and are messages like others in chats', async () => {
  const person = somebody();
  for (const word of ['CANCEL', 'End']) await isRouted(await say('CHATAPP', person, word));
  assert.equal(await isOut(person), false);
  await say('SMS', person, 'Cancel');
  assert.equal(await isOut(person), true);
});

it('an intro that waits for YES gets it, also from somebody who is opted out; STOP is always STOP', async () => {
  const person = somebody();
  await say('CHATAPP', person, 'STOP');
  await say('CHATAPP', person, 'Yes', intros);
  assert.equal(await isOut(person), true);
  const sessions = (await app.call('GET', `/v2/chatapp/chat-intro-logs/?number=${encodeURIComponent(person)}`)).body;
  assert.ok(sessions.count > 0, 'a session began');
});

describe('POST /v2/opt-ins/', () => {
  it('201: consent of somebody who never opted out is on record', async () => {
    const phone_number = somebody();
    const consent = await post('/v2/opt-ins/', { phone_number, channel: 'SMS', text: 'Ticked the box' });
    const { uuid, created, ...rest } = consent;
    assert.deepEqual(rest, { action: 'OPT_IN', phone_number, channel: 'SMS', source: 'API', text: 'Ticked the box' });
    const events = await app.call('GET', `/v2/opt-out-events/?number=${encodeURIComponent(phone_number)}`);
    assert.deepEqual(events.body.results, [consent]);
    const others = await app.call('GET', '/v2/opt-out-events/', undefined, { token: app.otherToken });
    assert.equal(others.body.results.length, 0);
  });

  it('lifts the opt-out of the channel; of one of everything the other channels stay', async () => {
    const phone_number = somebody();
    const channels = async () =>
      (await app.call('GET', `/v2/opt-outs/?number=${encodeURIComponent(phone_number)}`)).body.results
        .map((one: { channel: string }) => one.channel)
        .toSorted();
    await post('/v2/opt-outs/', { phone_number });
    await post('/v2/opt-ins/', { phone_number, channel: 'SMS' });
    assert.deepEqual(await channels(), ['CHATAPP', 'VOICE']);
    await post('/v2/opt-ins/', { phone_number });
    assert.deepEqual(await channels(), []);
  });

  it('400 names what is wrong', async () => {
    const answer = await app.call('POST', '/v2/opt-ins/', { phone_number: 'mum', channel: 'FAX' });
    assert.deepEqual([answer.status, Object.keys(answer.body).toSorted()], [400, ['channel', 'phone_number']]);
  });
});
