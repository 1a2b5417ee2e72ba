import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { onlyPlain } from '../../../../test/kit/database.ts';
import { until } from '../../../../test/kit/until.ts';
import { makeCaller, people } from '../../../../test/kit/voice/caller.ts';
import { eventsOfType } from '../../timeline/index.ts';
import { filtered } from '../queries.ts';
import { purgeRecordingsAnyAccount } from '../retention.ts';
import { serveRecording } from './recording.ts';

let app: TestApp;
let caller: ReturnType<typeof makeCaller>;
let number: string;
let answered: string;
let missed: string;
let outbound: string;
before(async () => {
  app = await startTestApp();
  caller = makeCaller(app);
  await caller.clock({ speed: 25 });
  number = await caller.number({ target_number: people.short, features: ['RECORD_CALL'] });
  answered = await caller.dials(number);
  await caller.ends(answered);
  missed = await caller.dials(await caller.number({ target_number: people.busy }), { from: '+447700900555' });
  await caller.ends(missed);
  outbound = await caller.starts({ from: number, to: people.refuses });
  await caller.ends(outbound);
});
after(() => app.close());

const uuidsAt = async (address: string, token = app.token): Promise<string[]> => {
  const { status, body } = await app.call('GET', address, undefined, { token });
  assert.equal(status, 200, JSON.stringify(body));
  return body.results.map(({ uuid }: { uuid: string }) => uuid);
};

describe('GET /v2/cdr/', () => {
  it('lists the calls that are over, newest first, by number, caller, result, direction and time', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const all = [outbound, missed, answered];
    for (const [query, expected] of [
      ['', all],
      [`number=${encodeURIComponent(number)}`, [outbound, answered]],
      ['caller=447700900555', [missed]],
      ['result=REJECTED', [outbound]],
      ['direction=INBOUND', [missed, answered]],
      [`from=${today}&to=${today}`, all],
      ['to=2020-01-01', []],
      ['from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z', []],
      [`from=2020-01-01&created_before=2020-01-02T00:00:00Z`, []],
    ] as const) {
      assert.deepEqual(await uuidsAt(`/v2/cdr/?${query}`), expected, query);
    }
    const [record] = (await caller.get(`/v2/cdr/?caller=447700900555`)).results;
    assert.deepEqual([record.caller, record.called, record.result], ['+447700900555', record.number, 'BUSY']);
  });

  it('does not list a call that is under way', async () => {
    await caller.clock({ speed: 1 });
    const uuid = await caller.dials(await caller.number({ target_number: people.absent }));
    assert.ok(!(await uuidsAt('/v2/cdr/')).includes(uuid));
    assert.ok((await uuidsAt('/v2/voice/calls/?status=RINGING')).includes(uuid));
    await app.call('POST', `/v2/voice/calls/${uuid}/hangup/`);
    await caller.ends(uuid);
    await caller.clock({ speed: 25 });
  });

  it('400 for what is no moment, no result, no number', async () => {
    for (const [query, field] of [
      ['from=yesterday', 'from'],
      ['to=2026-13-01', 'to'],
      ['result=GOOD', 'result'],
      ['number=mum', 'number'],
      ['direction=UP', 'direction'],
    ] as const) {
      const { status, body } = await app.call('GET', `/v2/cdr/?${query}`);
      assert.deepEqual([status, Object.keys(body)], [400, [field]], query);
    }
  });

  it('streams them as CSV, and the job cdr.export writes the same file', async () => {
    const headers = { accept: 'text/csv' };
    const { status, body } = await app.call('GET', '/v2/cdr/?result=BUSY', undefined, { headers });
    assert.equal(status, 200);
    const [head, line, rest] = String(body).split('\r\n');
    const columns = head!.split(',');
    assert.equal(line!.split(',')[columns.indexOf('uuid')], missed);
    assert.equal(line!.split(',')[columns.indexOf('caller')], '+447700900555');
    assert.equal(rest, '');
    const job = await app.call('POST', '/v3/jobs/', { type: 'cdr.export', input: { result: 'BUSY' } });
    assert.equal(job.status, 202, JSON.stringify(job.body));
    const { status: ended } = await until(
      () => caller.get(`/v3/jobs/${job.body.id}/`),
      ({ finished }) => finished !== null,
    );
    assert.equal(ended, 'SUCCEEDED');
    assert.equal((await app.call('GET', `/v3/jobs/${job.body.id}/file/`)).body, body);
  });
});

describe('Calls', () => {
  it('are seen by their account alone', async () => {
    for (const list of ['/v2/cdr/', '/v2/voice/calls/', '/v2/logs/voice-calls/', '/v2/sandbox/calls/']) {
      assert.deepEqual(await uuidsAt(list, app.otherToken), [], list);
    }
    for (const path of ['', 'recording/']) {
      const theirs = await app.call('GET', `/v2/voice/calls/${answered}/${path}`, undefined, { token: app.otherToken });
      assert.equal(theirs.status, 404);
    }
    const theirs = await app.call(
      'POST',
      '/v2/sandbox/calls/',
      { from: people.caller, to: number },
      { token: app.otherToken },
    );
    assert.equal(theirs.body.result, 'REJECTED', 'the number is not theirs');
  });

  it('whose recording is not in the store of all hosts yet answer 503, where it is not', async () => {
    const { deps, accountId } = app;
    const files = { ...deps.files, mayArrive: true, get: async () => undefined, size: async () => undefined };
    for (const asked of [{}, { range: 'bytes=0-9' }]) {
      const later = serveRecording({ ...deps, files }, accountId, answered, asked);
      await assert.rejects(later, { status: 503, code: 'unavailable', headers: { 'retry-after': '5' } });
    }
    const never = serveRecording({ ...deps, files }, accountId, missed, {});
    await assert.rejects(never, { status: 404 });
  });

  it('leave a log that is filtered by call, number and event', async () => {
    const eventsAt = async (query: string) =>
      (await caller.get(`/v2/logs/voice-calls/?ordering=created&${query}`)).results.map(
        ({ event }: { event: string }) => event,
      );
    assert.deepEqual((await eventsAt(`call=${outbound}`)).slice(0, 2), ['call.queued', 'call.started']);
    assert.equal((await eventsAt(`number=${encodeURIComponent(number)}&event=call.ended`)).length, 2);
    assert.equal((await app.call('GET', '/v2/logs/voice-calls/?event=call.lost')).status, 400);
    const { results } = await caller.get(`/v2/events/?subject=${answered}&ordering=created`);
    assert.deepEqual([results[0].kind, results[0].subject_type], ['call.started', 'call']);
  });

  it('count as the traffic of their number', async () => {
    const { traffic } = await caller.get(`/v2/number/${number}/insights/`);
    assert.deepEqual([traffic.calls, traffic.answered, traffic.missed, traffic.unique_callers], [2, 1, 0, 1]);
  });

  it('are found through an index by every filter', onlyPlain, async () => {
    await sql`insert into calls (account_id, uuid, direction, carrier, number, number_digits, from_number, to_number, from_digits, status, result)
      select ${app.accountId}, uuidv7(), 'INBOUND', 'sandbox', n::text, n::text, n::text, n::text, n::text, 'ENDED', 'MISSED'
      from generate_series(1, 20000) n`.execute(app.deps.db);
    await sql`analyze calls`.execute(app.deps.db);
    const month = new Date().toISOString().slice(0, 7).replace('-', '');
    for (const filter of [
      { number: '77' },
      { caller: '77' },
      { direction: 'OUTBOUND' },
      { status: 'QUEUED' },
      { status: 'ENDED' },
      { result: 'BUSY' },
    ]) {
      const page = filtered(app.deps.db, app.accountId, filter).orderBy('uuid', 'desc').limit(26);
      const plan = JSON.stringify(await page.explain('json'));
      // Of the months that hold nothing PostgreSQL may read all.
      assert.doesNotMatch(plan, new RegExp(`"Seq Scan"[^}]*"calls_${month}"`), JSON.stringify(filter));
      assert.match(plan, new RegExp(`"Index Scan"[^}]*"calls_${month}"`), JSON.stringify(filter));
    }
    const events = eventsOfType(app.deps.db, app.accountId, 'call').where('kind', '=', 'call.ended');
    assert.match(
      JSON.stringify(await events.orderBy('uuid', 'desc').limit(26).explain('json')),
      /Index Cond":"[^"]*kind/,
    );
    await sql`delete from calls where carrier = 'sandbox' and number !~ '^[+]'`.execute(app.deps.db);
  });

  it('have a recording until the account does not want to keep it any longer', async () => {
    const { recording_url } = await caller.call(answered);
    assert.equal((await app.call('GET', recording_url)).status, 200);
    assert.equal((await app.call('GET', `/v2/voice/calls/${missed}/recording/`)).status, 404);
    assert.equal(await purgeRecordingsAnyAccount(app.deps), 0, 'its time is not over');
    await sql`update accounts set retention_days = -1 where uuid = ${app.accountId}`.execute(app.deps.db);
    assert.equal(await purgeRecordingsAnyAccount(app.deps), 1);
    assert.equal((await app.call('GET', recording_url)).status, 404);
    assert.equal((await caller.call(answered)).recording_url, null);
    assert.deepEqual(await readdir(path.join(app.deps.config.dataDir, 'recordings', app.accountId)), []);
  });
});

describe('Webhooks of a number', () => {
  it('hear of every step that they asked for, in its order', async () => {
    const webhook = { name: 'calls', url: 'https://example.com/calls', events: ['*'] };
    assert.equal((await app.call('POST', '/v2/number/webhooks/', webhook)).status, 201);
    const settings = {
      target_number: people.absent,
      features: ['VOICEMAIL_LITE', 'CAPTURE_DIGITS'],
      webhooks: ['calls'],
    };
    const voicemail = await caller.number(settings);
    const uuid = await caller.dials(voicemail, {
      from: people.leavesVoicemail,
      digits: '5#',
      hangup_after_seconds: 200,
    });
    await caller.ends(uuid);
    const recorded = await caller.number({
      target_number: people.short,
      features: ['RECORD_CALL'],
      webhooks: ['calls'],
    });
    const second = await caller.dials(recorded);
    await caller.ends(second);
    const { rows } = await sql<{ type: string; payload: string }>`
      select type, payload from webhook_deliveries where type like 'call.%' order by uuid`.execute(app.deps.db);
    const told = rows.map(({ type, payload }) => ({ type, data: JSON.parse(payload).data }));
    const typesOf = (call: string) => told.filter(({ data }) => data.uuid === call).map(({ type }) => type);
    assert.deepEqual(typesOf(uuid), ['call.started', 'call.digits_captured', 'call.voicemail_received', 'call.ended']);
    assert.deepEqual(typesOf(second), ['call.started', 'call.answered', 'call.recording_ready', 'call.ended']);
    const { data } = told.find(({ type, data }) => type === 'call.ended' && data.uuid === uuid)!;
    assert.deepEqual([data.result, data.digits, data.voicemail], ['VOICEMAIL', '5', true]);
    assert.deepEqual(data, await caller.call(uuid), 'as the API shows it');
  });
});

describe('GET /v2/network-status/voice/', () => {
  it('tells how each link is doing', async () => {
    // Phones are put down a moment after their call is over.
    const { count, results } = await until(
      () => caller.get('/v2/network-status/voice/'),
      ({ results: [link] }) => link.calls === 0,
    );
    assert.equal(count, 1);
    const [{ since, ...link }] = results;
    assert.ok(Date.parse(since) > 0);
    assert.deepEqual(link, {
      name: 'sandbox',
      carrier: 'sandbox',
      state: 'UP',
      calls: 0,
      sent: link.sent,
      failed: 0,
      latency_ms: null,
      queue_depth: 0,
      oldest_queued: null,
      last_error: null,
    });
    assert.ok(link.sent >= 4);
  });
});
