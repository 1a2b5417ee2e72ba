import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { earlier } from '../../../../test/kit/postgres/earlier.ts';
import { type Stage, startStage } from '../../../../test/kit/sms/sms-stage.ts';
import { until } from '../../../../test/kit/until.ts';
import type { SmsEvent } from '../../../carriers/ports/sms.ts';
import { makeReceivingAgain } from './again.ts';
import { tasks } from './receive.ts';

let app: TestApp;
let stage: Stage;
/** A number of the account. */
let number: string;
before(async () => {
  app = await startTestApp({ ROLES: 'api,worker', WEBHOOK_ALLOW_PRIVATE: 'true' });
  stage = await startStage(app);
  const bought = await app.call('POST', '/v2/number/', {
    country_code: 'GB',
    features: ['KEYWORDS'],
    keywords: ['Viewing', 'PRICE'],
  });
  assert.equal(bought.status, 201, JSON.stringify(bought.body));
  number = bought.body.number;
});
after(async () => {
  await stage.stop();
  await app.close();
});

type Message = Extract<SmsEvent, { kind: 'message' }>;
const written = (text: string, more: Partial<Message> = {}): Message => ({
  kind: 'message',
  id: null,
  from: '447700900321',
  to: number.replace('+', ''),
  text,
  encoding: 'GSM7',
  at: new Date(),
  ...more,
});
const records = async (query: string) => (await app.call('GET', `/v2/sms-records/?direction=INBOUND&${query}`)).body;
const optOuts = async (of: string) =>
  (await app.call('GET', `/v2/opt-outs/?number=${of}`)).body.results.map((one: { channel: string }) => one.channel);

describe('an SMS that a person wrote', () => {
  test('is RECEIVED, with what it says and the keyword of the number that it begins with', async () => {
    const [shown] = (await stage.receive([written(' viewing tomorrow?')])) as { uuid: string }[];
    const { uuid, created, modified, ...rest } = await stage.record(shown!.uuid);
    assert.deepEqual(rest, {
      direction: 'INBOUND',
      status: 'RECEIVED',
      status_description: '',
      from: '447700900321',
      to: number.replace('+', ''),
      text: ' viewing tomorrow?',
      segments: 1,
      encoding: 'GSM7',
      keyword: 'Viewing',
      meta_data: {},
    });
    assert.deepEqual(await stage.story(uuid), ['sms.received']);
  });

  test('is one message however often it comes, when the link has an id for it', async () => {
    const message = written('Once', { id: 'a1' });
    assert.equal((await stage.receive([message, message])).length, 1);
    assert.equal((await stage.receive([message])).length, 0);
    assert.equal(
      (await records('from=447700900321')).results.filter((one: { text: string }) => one.text === 'Once').length,
      1,
    );
  });

  test('without an id is the same again only on a connection that came after it, and only soon', async () => {
    const told = (connectedMs: number, fingerprint = 'print') =>
      stage.receive([written('Yes', { mark: { fingerprint, connectedMs } })]);
    const back = (seconds: number) =>
      sql`update sms_inbound_ids set created = ${earlier(sql`created`, `${seconds} seconds`)}`.execute(app.deps.db);
    assert.equal((await told(5_000_000)).length, 1);
    assert.equal((await told(5_000_000)).length, 1, 'somebody says the same twice');
    await back(10);
    assert.equal((await told(500)).length, 0, 'its acknowledgement was lost with the connection');
    assert.equal((await told(900)).length, 1, 'said again on the new connection');
    await back(30);
    assert.equal((await told(20_000, 'another')).length, 1);
    assert.equal((await told(61_000)).length, 1, 'a connection that is up for long brings nothing again');
    await back(3600);
    assert.equal((await told(500)).length, 1, 'too long ago');
    assert.equal((await stage.receive([written('Yes'), written('Yes')])).length, 2, 'a link that tells no mark');
  });

  test('is stored again after a failover that lost it, and only then', async () => {
    const shown: number[] = [];
    const heard: (() => void)[] = [];
    const listener = { ...app.deps.listener, onTakeover: (callback: () => void) => void heard.push(callback) };
    const again = makeReceivingAgain({ ...app.deps, listener }, async (_link, events) => {
      const stored = await stage.receive(events);
      shown.push(stored.length);
      return stored;
    });
    const mark = (fingerprint: string) => ({ mark: { fingerprint, connectedMs: 5_000_000 } });
    const kept = [written('Kept', { id: 'kept' }), written('Kept', mark('kept'))];
    const lost = [written('Lost', { id: 'lost' }), written('Lost', mark('lost'))];
    const unknown = written('A part', { part: { reference: 1, total: 2, part: 1 } });
    for (const events of [kept, lost, [unknown]]) again.note(stage.link, events);
    await stage.receive(kept);
    for (const takeOver of heard) takeOver();
    await until(
      () => shown,
      ({ length }) => length > 0,
    );
    await again.stop();
    assert.deepEqual(shown, [lost.length]);
    const { results } = await records('page_size=4');
    assert.deepEqual(results.map(({ text }: { text: string }) => text).toSorted(), ['Kept', 'Kept', 'Lost', 'Lost']);
  });

  test('is stored for a number that the account does not have, with a note', async () => {
    const [shown] = await stage.receive([written('Hello', { to: '999000' })]);
    assert.deepEqual(
      (shown as { status_description: string }).status_description,
      'It came for a number that the account does not have.',
    );
  });

  test('cannot be cancelled', async () => {
    const [shown] = (await stage.receive([written('Hello')])) as { uuid: string }[];
    const answer = await app.call('DELETE', `/v2/send-sms/${shown!.uuid}/`);
    assert.deepEqual([answer.status, answer.body.code], [409, 'sms_not_queued']);
  });

  test('counts as traffic of the number', async () => {
    const before = (await app.call('GET', `/v2/number/${encodeURIComponent(number)}/insights/`)).body.traffic;
    await stage.receive([written('One'), written('Two')]);
    await stage.becomes(await stage.send('Out', { from: number }), 'SENT');
    const after = (await app.call('GET', `/v2/number/${encodeURIComponent(number)}/insights/`)).body.traffic;
    assert.deepEqual([after.sms_in - before.sms_in, after.sms_out - before.sms_out], [2, 1]);
  });
});

describe('a long SMS', () => {
  const part = (reference: number, place: number, text: string, more: Partial<Message> = {}): Message =>
    written(text, { part: { reference, total: 3, part: place }, ...more });

  test('is one record when all its parts are there, in whatever order they came', async () => {
    assert.deepEqual(await stage.receive([part(7, 3, 'three')]), []);
    assert.deepEqual(await stage.receive([part(7, 1, 'one ')]), []);
    const [shown] = (await stage.receive([part(7, 2, 'two ')])) as { text: string; segments: number }[];
    assert.deepEqual([shown!.text, shown!.segments], ['one two three', 3]);
    assert.deepEqual(await stage.receive([part(7, 2, 'two ')]), [], 'a part that comes once more');
  });

  test('is whole when its parts come at the same time, and by links of their own', async () => {
    const texts = ['a', 'b', 'c'];
    const shown = await Promise.all(texts.map((text, index) => stage.receive([part(8, index + 1, text)])));
    assert.deepEqual(
      shown.flat().map((one) => (one as { text: string }).text),
      ['abc'],
    );
    const other = await stage.addLink('other');
    assert.deepEqual(await stage.receive([part(9, 1, 'a')], other), []);
    assert.deepEqual(await stage.receive([part(9, 2, 'b'), part(9, 3, 'c')]), []);
  });

  test('is read when its bytes are joined: phones cut through characters', async () => {
    const cut = (reference: number, dataCoding: number, octets: Buffer, at: number) =>
      [octets.subarray(0, at), octets.subarray(at)].map((body, index) =>
        written(body.toString('latin1').replaceAll('\0', ''), {
          part: { reference, total: 2, part: index + 1, raw: { dataCoding, body } },
        }),
      );
    const read = async ([first, second]: Message[]) => {
      assert.deepEqual(await stage.receive([second!]), []);
      return ((await stage.receive([first!])) as { text: string }[])[0]!.text;
    };
    const smile = Buffer.from('Hi 😀!', 'utf16le').swap16();
    assert.equal(await read(cut(21, 8, smile, 8)), 'Hi 😀!', 'through a surrogate pair');
    assert.equal(await read(cut(22, 8, smile, 5)), 'Hi 😀!', 'through a unit');
    // The euro sign of GSM-7: an escape and an e.
    assert.equal(await read(cut(23, 0, Buffer.from([0x31, 0x1b, 0x65]), 2)), '1€');
  });

  test('gives way to the next one of the same reference, and is stored as what there is', async () => {
    await stage.receive([part(11, 1, 'old ')]);
    const shown = (await stage.receive([part(11, 1, 'new '), part(11, 2, 'and '), part(11, 3, 'whole')])) as {
      text: string;
      status_description: string;
    }[];
    assert.deepEqual(
      shown.map((one) => [one.text, one.status_description]),
      [
        ['old ', 'Some of its parts never came.'],
        ['new and whole', ''],
      ],
    );
  });

  test('that never becomes whole is stored after a day as what there is', async () => {
    const from = '447700900322';
    await stage.receive([part(12, 2, 'middle ', { from }), part(12, 3, 'end', { from })]);
    await sql`update sms_inbound_parts set received = now() - interval '25 hours' where from_digits = ${from}`.execute(
      app.deps.db,
    );
    for (const task of tasks) await task.handler(app.deps, []);
    for (const task of tasks) await task.handler(app.deps, []);
    const { results } = await records(`from=${from}`);
    assert.deepEqual(
      results.map((one: { text: string; segments: number }) => [one.text, one.segments]),
      [['middle end', 2]],
    );
  });
});

describe('STOP, START and HELP', () => {
  test('opt a person out of SMS and in again; the last word of a batch counts', async () => {
    const from = '447700900333';
    await stage.receive([written('Stop.', { from })]);
    assert.deepEqual(await optOuts(from), ['SMS']);
    const refused = await app.call('POST', '/v2/send-sms/', { from: 'Parley', to: from, text: 'Offer' });
    assert.deepEqual([refused.status, refused.body.code], [400, 'recipient_opted_out']);
    await stage.receive([written('STOPALL', { from }), written('start', { from })]);
    assert.deepEqual(await optOuts(from), []);
    await stage.receive([written('START', { from }), written('STOP ALL', { from })]);
    assert.deepEqual(await optOuts(from), ['ALL']);
  });

  test('HELP is answered from the number that was written to, also for somebody who opted out', async () => {
    const from = '447700900334';
    await stage.receive([written('STOP', { from })]);
    await stage.receive([written('help', { from })]);
    const got = await until(
      () => stage.peer.got.filter(({ to }) => to === `+${from}`),
      (answers) => answers.length > 0,
    );
    assert.equal(got[0]!.from, number);
    assert.match(got[0]!.text, /Reply STOP/);
  });

  test('holds in every spelling where the link writes numbers as its country does', async () => {
    await stage.receive([written('STOP', { from: '07733 888881' })]);
    for (const to of ['07733888881', '+447733888881', '00447733888881']) {
      const { status, body } = await app.call('POST', '/v2/send-sms/', { from: 'Parley', to, text: 'Hello' });
      assert.deepEqual([status, body.code], [400, 'recipient_opted_out'], to);
    }
    const { body } = await app.call('GET', '/v2/sms-records/?from=%2B447733888881');
    assert.deepEqual(
      body.results.map((one: { from: string }) => one.from),
      ['07733 888881'],
    );
  });

  test('from a name opts nobody out', async () => {
    await stage.receive([written('STOP', { from: 'Bank' })]);
    assert.equal(
      (await app.call('GET', '/v2/opt-outs/?page_size=200')).body.results.some(
        (one: { phone_number: string }) => one.phone_number === 'Bank',
      ),
      false,
    );
  });
});

/** A receiver of webhooks, and the bodies that it got. */
async function startReceiver() {
  const received: string[] = [];
  const server = createServer(async (request, answer) => {
    received.push(await text(request));
    answer.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close };
}

test('the webhooks of a number hear of its SMS in both directions, a callback address of its own', async () => {
  const receiver = await startReceiver();
  const callback = await startReceiver();
  try {
    await app.call('POST', '/v2/number/webhooks/', { name: 'texts', url: receiver.url, events: ['*'] });
    const path = `/v2/number/${encodeURIComponent(number)}/`;
    assert.equal((await app.call('PATCH', path, { webhooks: ['texts'] })).status, 200);
    await stage.receive([written('Ping')]);
    const uuid = await stage.send('Pong', { from: number });
    await stage.becomes(uuid, 'SENT');
    const other = await stage.send('Nobody listens', { callback_url: callback.url });
    const told = await until(
      () => receiver.received.map((body) => JSON.parse(body)),
      (all) => all.length >= 2,
    );
    assert.deepEqual(told.map(({ type, data }) => [type, data.status, data.text]).toSorted(), [
      ['sms.received', 'RECEIVED', 'Ping'],
      ['sms.status', 'SENT', 'Pong'],
    ]);
    const [called] = await until(
      () => callback.received.map((body) => JSON.parse(body)),
      (all) => all.length >= 1,
    );
    assert.deepEqual([called.type, called.data.uuid], ['sms.status', other]);
  } finally {
    receiver.close();
    callback.close();
  }
});
