import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { type LearningContent, makeContent } from '../../src/platform/content/content.ts';
import { learnContentAnyAccount } from '../../src/platform/content/follow.ts';
import { contentOf } from '../../src/platform/db/connect/pool.ts';
import { openVault } from '../../src/platform/keys/open-vault.ts';
import { rotate } from '../../src/platform/keys/rotate.ts';
import { passContent } from '../../src/upkeep/content-pass.ts';
import { startTestApp, type TestApp } from '../kit/app.ts';
import { formWith, pdf } from '../kit/media/sample-files.ts';
import { dumpFiles, findClear } from '../kit/postgres/dump.ts';
import { until } from '../kit/until.ts';
import { makeCaller, people } from '../kit/voice/caller.ts';

const person = '+447700900123';
const business = '+447700900001';
/** Of the WAV files of recordings. */
const riff = 'WAVEfmt ';

describe('An account with encrypt_content', () => {
  let app: TestApp;
  let caller: ReturnType<typeof makeCaller>;
  before(async () => {
    app = await startTestApp({ WEBHOOK_ALLOW: '127.0.0.0/8' });
    caller = makeCaller(app);
    await caller.clock({ speed: 25 });
    const hook = { url: 'http://127.0.0.1:9/hook', events: ['*'] };
    assert.equal((await app.call('POST', '/v2/webhooks/', hook)).status, 201);
  });
  after(() => app.close());

  const turn = async (encrypt: boolean): Promise<void> => {
    const answer = await app.call('PATCH', '/v2/account/', { encrypt_content: encrypt });
    assert.deepEqual([answer.status, answer.body.encrypt_content], [200, encrypt], JSON.stringify(answer.body));
    await until(
      () => contentOf(app.deps.db).isOn(app.accountId),
      (isOn) => isOn === encrypt,
    );
  };
  /** Goes on until it is over, a step at a time, as if it were stopped after each. */
  const pass = async (): Promise<void> => {
    for (let steps = 0; steps < 100; steps++) if (await passContent(app.deps, app.accountId, { mostMs: 0 })) return;
    assert.fail('The pass does not end.');
  };
  const media = async (canary: string): Promise<string> => {
    const { payload, contentType } = await formWith(Buffer.concat([pdf, Buffer.from(`\n%${canary}\n`)]), {
      filename: 'offer.pdf',
      type: 'application/pdf',
    });
    const headers = { authorization: `Token ${app.token}`, 'content-type': contentType };
    const answer = await app.app.inject({ method: 'POST', url: '/v2/chatapp/template-media/', headers, payload });
    assert.equal(answer.statusCode, 201, answer.body);
    return answer.json().uuid;
  };
  /** Says a text in every way; answers how to read it again. */
  const sayEverywhere = async (canary: string): Promise<string[]> => {
    const said: string[] = [];
    const sent = await app.call('POST', '/v2/chatapp/messages/', {
      ...{ chatapp_number: business, to_chatapp_number: person, type: 'TEXT', text: { body: `chat ${canary}` } },
      callback_url: 'http://127.0.0.1:9/callback',
    });
    assert.equal(sent.status, 201);
    said.push(`/v2/chatapp/messages/${sent.body.uuid}/`);
    const number = await caller.number({ features: ['RECORD_CALL'], target_number: people.short });
    const sms = await app.call('POST', '/v2/send-sms/', { from: number, to: person, text: `sms ${canary}` });
    assert.equal(sms.status, 201);
    said.push(`/v2/send-sms/${sms.body.uuid}/`);
    const wrote = { from: person, to: business, text: { body: `inbound ${canary}` } };
    const written = await app.call('POST', '/v2/sandbox/chatapp/messages/', wrote);
    assert.equal(written.status, 201);
    said.push(`/v2/chatapp/messages/${written.body.uuid}/`);
    const texted = await app.call('POST', '/v2/sandbox/sms/', { from: person, to: number, text: `in ${canary}` });
    assert.equal(texted.status, 201);
    const input = { messages: [{ from: number, to: person, text: `job ${canary}` }] };
    const job = await app.call('POST', '/v3/jobs/', { type: 'sms.send', input });
    assert.equal(job.status, 202);
    said.push(`/v2/chatapp/template-media/${await media(canary)}/content/`);
    const call = await caller.dials(number);
    await caller.ends(call);
    await until(
      () => app.call('GET', `/v3/jobs/${job.body.id}/`),
      ({ body }) => body.status === 'SUCCEEDED',
    );
    await until(
      () => app.call('GET', said[0]!),
      ({ body }) => body.status === 'READ' || body.status === 'DELIVERED',
    );
    await until(
      () => app.call('GET', `/v2/voice/calls/${call}/`),
      ({ body }) => body.recording_url !== null,
    );
    said.push(`/v2/voice/calls/${call}/recording/`);
    return said;
  };
  const assertReadable = async (said: string[], canary: string): Promise<void> => {
    for (const url of said) {
      const { status, body } = await app.call('GET', url);
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      assert.equal(status, 200, url);
      assert.ok(text.includes(url.includes('recording') ? riff : canary), `${url}: ${text.slice(0, 200)}`);
    }
    const sms = await app.call('GET', '/v2/sms-records/?direction=INBOUND&page_size=200');
    assert.ok(JSON.stringify(sms.body).includes(`in ${canary}`));
    const list = await app.call('GET', '/v2/chatapp/messages/?page_size=200');
    assert.ok(JSON.stringify(list.body).includes(`inbound ${canary}`));
    const phone = await app.call('GET', `/v2/sandbox/phones/${encodeURIComponent(person)}/?page_size=200`);
    assert.ok(JSON.stringify(phone.body).includes(`chat ${canary}`));
    const exported = await app.call('GET', `/v2/people/${encodeURIComponent(person)}/export/`);
    assert.ok(JSON.stringify(exported.body).includes(`sms ${canary}`));
    const deliveries = await app.call('GET', '/v2/webhook-deliveries/?page_size=200');
    const received = deliveries.body.results.find(({ type }: { type: string }) => type === 'chatapp.message.received');
    const delivery = await app.call('GET', `/v2/webhook-deliveries/${received.uuid}/`);
    assert.equal(delivery.body.payload.type, 'chatapp.message.received');
  };
  const ask = (url: string, headers: Record<string, string> = {}) =>
    app.app.inject({ method: 'GET', url, headers: { authorization: `Token ${app.token}`, ...headers } });
  const recordings = async () =>
    [...(await dumpFiles(app))].filter(([name, bytes]) => name.startsWith('recordings/') && bytes.includes(riff));

  const before1 = 'canary-alpha-5201';
  const during = 'canary-bravo-7730';
  let earlier: string[];
  let later: string[];

  it('has nothing of what was said in the database or among the files, and shows it as ever', async () => {
    earlier = await sayEverywhere(before1);
    assert.ok((await findClear(app, before1)).length > 5, 'without it, everything is in clear');
    await turn(true);
    later = await sayEverywhere(during);
    assert.deepEqual(await findClear(app, during), []);
    await assertReadable(later, during);
    await assertReadable(earlier, before1);
  });

  it('has what was said before brought along, however often that is stopped', async () => {
    await pass();
    assert.deepEqual([await findClear(app, before1), await recordings()], [[], []]);
    await assertReadable(earlier, before1);
    await assertReadable(later, during);
    assert.equal(await passContent(app.deps, app.accountId, { mostMs: 0 }), true, 'there is nothing left to do');
  });

  it('has its files read by parts, encrypted or not, as players seek', async () => {
    const [file, recording] = later.filter((url) => /content|recording/.test(url));
    for (const encrypted of [true, false]) {
      if (!encrypted) await turn(false);
      if (!encrypted) await pass();
      for (const url of [file!, recording!]) {
        const whole = await ask(url);
        assert.deepEqual([whole.statusCode, whole.headers['accept-ranges']], [200, 'bytes']);
        const bytes = whole.rawPayload;
        const parts: [string, number, number][] = [
          ['bytes=0-0', 0, 1],
          ['bytes=7-19', 7, 20],
          [`bytes=${bytes.length - 3}-`, bytes.length - 3, bytes.length],
          ['bytes=-5', bytes.length - 5, bytes.length],
          [`bytes=4-${bytes.length * 2}`, 4, bytes.length],
        ];
        for (const [range, start, end] of parts) {
          const part = await ask(url, { range });
          assert.equal(part.statusCode, 206, `${url} ${range}`);
          assert.ok(part.rawPayload.equals(bytes.subarray(start, end)), `${url} ${range}`);
          assert.equal(part.headers['content-range'], `bytes ${start}-${end - 1}/${bytes.length}`);
          assert.equal(part.headers['content-length'], String(end - start));
        }
        const beyond = await ask(url, { range: `bytes=${bytes.length}-` });
        assert.deepEqual(
          [beyond.statusCode, beyond.headers['content-range'], beyond.json().code],
          [416, `bytes */${bytes.length}`, 'range_not_satisfiable'],
        );
        const conditional = await ask(url, { range: 'bytes=0-0', 'if-range': '"a tag"' });
        assert.ok(conditional.statusCode === 200 && conditional.rawPayload.equals(bytes));
        const foreign = await ask(url, { range: 'bytes=0-0', authorization: `Token ${app.otherToken}` });
        assert.equal(foreign.statusCode, 404);
      }
    }
    await turn(true);
    await pass();
  });

  it('is sent by carriers what was meant', async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*) from message_states where status = 'FAILED'`.execute(app.deps.db);
    assert.equal(rows[0]!.count, 0);
  });

  it('stays readable when the keys of the ring are changed and the old one is dropped', async () => {
    const { db, log } = app.deps;
    const old = 'a key for tests';
    await rotate(db, await openVault(db, ['new', old], { isChanged: false, log }), { learnSeconds: 0 });
    const vault = await openVault(db, ['new'], { isChanged: false, log });
    const content: LearningContent = makeContent();
    content.learnKeys(() => vault.keys());
    await learnContentAnyAccount(db, content);
    const { rows } = await sql<{ text: string; data: string }>`
      select (select text::text from sms where text <> '' order by uuid limit 1) as text,
        (select message_data::text from messages order by uuid limit 1) as data`.execute(db);
    assert.ok(!rows[0]!.text.includes(before1) && content.openText(rows[0]!.text).includes(before1));
    assert.ok(JSON.stringify(content.openJson(rows[0]!.data)).includes(before1));
    assert.match(content.json(app.accountId, '{}'), /^\t\{"sealed":"c1:\d+:/);
    await rotate(db, await openVault(db, [old, 'new'], { isChanged: false, log }), { learnSeconds: 0 });
  });

  it('does not open what somebody else passes off as encrypted', async () => {
    const { rows } = await sql<{ text: string }>`
      select text::text as text from sms where left(text, 1) = E'\\x01' limit 1`.execute(app.deps.db);
    const stolen = rows[0]!.text;
    const other = (text: string) =>
      app.call('POST', '/v2/send-sms/', { from: 'Parley', to: person, text }, { token: app.otherToken });
    const sent = await other(stolen);
    assert.equal(sent.status, 201, JSON.stringify(sent.body));
    const read = await app.call('GET', `/v2/send-sms/${sent.body.uuid}/`, undefined, { token: app.otherToken });
    assert.equal(read.body.text.replaceAll(/[^\w:+/=-]/g, ''), stolen.slice(1));
    assert.ok(!read.body.text.includes('canary'));
  });

  it('gets its content back in clear when it is turned off', async () => {
    await turn(false);
    await pass();
    for (const canary of [before1, during]) assert.ok((await findClear(app, canary)).length > 5);
    const { rows } = await sql<{ count: number }>`
      select (select count(*) from messages where left(message_data::text, 1) = E'\\t')
        + (select count(*) from sms where left(text, 4) = E'\\x01c1:' and account_id = ${app.accountId})
        + (select count(*) from events where left(data::text, 1) = E'\\t') as count`.execute(app.deps.db);
    assert.equal(rows[0]!.count, 0);
    await assertReadable(earlier, before1);
    await assertReadable(later, during);
    assert.equal((await recordings()).length, 2);
  });
});
