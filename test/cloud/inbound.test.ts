import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { signatureOf } from '../../simulators/cloud-api/index.ts';
import { until } from '../kit/until.ts';
import { type CloudStage, startCloudStage } from './stage.ts';

let stage: CloudStage;
before(async () => {
  stage = await startCloudStage();
});
after(() => stage.close());

const list = async (query: string) => (await stage.app.call('GET', `/v2/chatapp/messages/?${query}`)).body.results;
const inboundOf = (phone: string, count = 1) =>
  until(`${count} messages of ${phone} are there`, async () => {
    const found = await list(`direction=INBOUND&from=${encodeURIComponent(phone)}&ordering=created`);
    return found.length >= count ? found : undefined;
  });

describe('an inbound message', () => {
  test('is stored as the API shows messages, opens the window, and can be answered with a quote', async () => {
    const person = stage.simulator.person('+34600000001');
    const closed = await stage.send({ to_chatapp_number: '+34600000001', type: 'TEXT', text: { body: 'too early' } });
    assert.deepEqual([closed.status, closed.body['code']], [400, 'window_closed']);

    person.writes('¿Sigue disponible? café 50€ a/b me@x.example');
    const [message] = await inboundOf('+34600000001');
    assert.equal(message.type, 'TEXT');
    assert.equal(message.status, 'RECEIVED');
    assert.equal(message.chatapp_number, stage.number);
    assert.equal(message.from_chatapp_number, '+34600000001');
    assert.equal(message.to_chatapp_number, stage.number);
    assert.deepEqual(message.message_data, { text: { body: '¿Sigue disponible? café 50€ a/b me@x.example' } });

    const answer = await stage.send({
      to_chatapp_number: '+34600000001',
      type: 'TEXT',
      text: { body: 'Sí' },
      context: { message_uuid: message.uuid },
    });
    assert.equal(answer.status, 201);
    await stage.reaches(answer.body['uuid']!, 'READ');
    const [sent] = person.messages().filter(({ direction }) => direction === 'out');
    const wamid = await carrierIdOf(message.uuid);
    assert.deepEqual((sent!.payload as { context: unknown }).context, { message_id: wamid });

    person.reacts('👍');
    const [, reaction] = await inboundOf('+34600000001', 2);
    assert.equal(reaction.type, 'REACTION');
    assert.deepEqual(reaction.message_data, { reaction: { message_uuid: answer.body['uuid'], emoji: '👍' } });
  });

  test('that comes five times is one message', async () => {
    stage.simulator.person('+34600000002').writes('once');
    await inboundOf('+34600000002');
    await stage.simulator.idle();
    const { body } = stage.simulator.webhooks.deliveries.findLast(({ body }) => body.includes('once'))!;
    const headers = { 'x-hub-signature-256': signatureOf(stage.simulator.appSecret, body) };
    // The same bytes, and the same message among others.
    const again = JSON.parse(body);
    again.entry.push(again.entry[0]);
    const bodies = [body, body, body, JSON.stringify(again), JSON.stringify(again, null, 1)];
    for (const text of bodies) {
      const signed = { ...headers, 'x-hub-signature-256': signatureOf(stage.simulator.appSecret, text) };
      const answer = await fetch(stage.webhookUrl, { method: 'POST', headers: signed, body: text });
      assert.equal(answer.status, 200);
    }
    stage.simulator.person('+34600000002').writes('twice');
    const messages = await inboundOf('+34600000002', 2);
    assert.deepEqual(
      messages.map(({ message_data }: { message_data: { text: { body: string } } }) => message_data.text.body),
      ['once', 'twice'],
    );
  });

  test('of a person who hides their number has their id, and can be answered by it', async () => {
    const stranger = stage.simulator.person('+34600000004');
    stranger.behaves({ phoneHidden: true });
    stranger.writes('I have none');
    const [message] = await until('a message without a number is there', async () => {
      const found = (await list('direction=INBOUND')).filter((one: { from_chatapp_number: string }) =>
        /^[A-Z]{2}\./.test(one.from_chatapp_number),
      );
      return found.length > 0 ? found : undefined;
    });
    const answer = await stage.send({
      to_chatapp_number: message.from_chatapp_number,
      type: 'TEXT',
      text: { body: 'hello' },
    });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    await stage.reaches(answer.body['uuid']!, 'READ');
  });
});

const carrierIdOf = async (uuid: string) => {
  const { carrier_message_id } = await stage.app.deps.db
    .selectFrom('message_states')
    .select('carrier_message_id')
    .where('uuid', '=', uuid)
    .executeTakeFirstOrThrow();
  return carrier_message_id;
};

describe('the webhook of a chat-app account', () => {
  const countPayloads = async () =>
    (await stage.app.deps.db.selectFrom('inbound_payloads').select('uuid').execute()).length;

  test('stores nothing without a signature, or with a forged one', async () => {
    await stage.simulator.idle();
    const before = await countPayloads();
    const body = '{"object":"whatsapp_business_account","entry":[]}';
    const post = (headers: Record<string, string>) => fetch(stage.webhookUrl, { method: 'POST', headers, body });
    assert.equal((await post({})).status, 401);
    assert.equal((await post({ 'x-hub-signature-256': signatureOf('another secret', body) })).status, 403);
    assert.equal(await countPayloads(), before);
  });

  test('puts a payload aside that makes no sense, and reads on', async () => {
    const nonsense = '{"object":"whatsapp_business_account"}';
    const headers = { 'x-hub-signature-256': signatureOf(stage.simulator.appSecret, nonsense) };
    assert.equal((await fetch(stage.webhookUrl, { method: 'POST', headers, body: nonsense })).status, 200);
    stage.simulator.person('+34600000005').writes('still here');
    await inboundOf('+34600000005');
    const aside = await stage.app.deps.db
      .selectFrom('inbound_payloads')
      .select('problem')
      .where('problem', 'is not', null)
      .execute();
    assert.equal(aside.length, 1);
  });

  test('takes a thousand updates in one POST', async () => {
    stage.simulator.webhooks.hold();
    for (let count = 0; count < 1000; count++) stage.simulator.person('+34600000006').writes(`number ${count}`);
    stage.simulator.webhooks.release((updates) => updates.toReversed());
    const counted = await until('a thousand messages are there', async () => {
      const { body } = await stage.app.call('GET', '/v2/chatapp/messages/?direction=INBOUND&from=%2B34600000006');
      return body.count >= 1000 ? body.count : undefined;
    });
    assert.equal(counted, 1000);
  });
});

describe('a person who writes a keyword', () => {
  const person = () => stage.simulator.person('+34600000007');
  const optOuts = async () => (await stage.app.call('GET', '/v2/opt-outs/?number=%2B34600000007')).body.results;
  const write = (body: string) => stage.send({ to_chatapp_number: '+34600000007', type: 'TEXT', text: { body } });

  test('STOP is in the ledger and hears nothing more; writing again they are answered; START is back', async () => {
    person().writes(' stop! ');
    const [optOut] = await until('the person is opted out', async () => {
      const found = await optOuts();
      return found.length > 0 ? found : undefined;
    });
    assert.deepEqual([optOut.source, optOut.text, optOut.channel], ['KEYWORD', ' stop! ', 'CHATAPP']);
    const refused = await write('an offer');
    assert.deepEqual([refused.status, refused.body['code']], [400, 'recipient_opted_out']);

    person().writes('Is the flat still free?');
    await inboundOf('+34600000007', 2);
    assert.equal((await write('It is.')).status, 201);

    person().writes('START');
    await until('the person is back', async () => (await optOuts()).length === 0);
    const events = (await stage.app.call('GET', '/v2/opt-out-events/?number=%2B34600000007')).body.results;
    assert.deepEqual(events.map(({ action }: { action: string }) => action).sort(), ['OPT_IN', 'OPT_OUT']);
  });

  test('HELP is answered with the text of the account', async () => {
    await stage.app.call('PATCH', '/v2/account/', { help_text: 'Reply STOP to get no more of these.' });
    stage.simulator.person('+34600000008').writes('help');
    const found = await until('help was given', async () => {
      const some = await list('direction=OUTBOUND&to=%2B34600000008&status=READ');
      return some.length > 0 ? some : undefined;
    });
    assert.match(found[0].message_data.text.body, /STOP/);
  });

  test('a wish told to the platform itself counts as much', async () => {
    const quiet = stage.simulator.person('+34600000009');
    quiet.stopsMarketing();
    const read = async () => (await stage.app.call('GET', '/v2/opt-outs/?number=%2B34600000009')).body.results;
    const [optOut] = await until('the person is opted out', async () => {
      const found = await read();
      return found.length > 0 ? found : undefined;
    });
    assert.equal(optOut.source, 'PLATFORM');
    quiet.resumesMarketing();
    await until('the person is back', async () => (await read()).length === 0);
  });
});

describe('a person who hides their number after they had shown it', () => {
  test('is still the same person, by the id that came with both', async () => {
    const person = stage.simulator.person('+34600000010');
    person.writes('I have a number');
    await inboundOf('+34600000010');
    person.behaves({ phoneHidden: true });
    // The platform itself tells the number for thirty days after it was last used.
    stage.simulator.advance(31 * 86_400_000);
    person.writes('And now you do not see it');
    const [, later] = await inboundOf('+34600000010', 2);
    assert.equal(later.message_data.text.body, 'And now you do not see it');
    const payload = stage.simulator.webhooks.deliveries.findLast(({ body }) => body.includes('do not see it'))!.body;
    assert.doesNotMatch(payload, /34600000010/);
  });
});
