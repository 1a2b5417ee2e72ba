// What `/metrics` tells of a whole server: what happened, and what waits, whoever the tenants are.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../kit/app.ts';
import { until } from '../kit/until.ts';
import { readMetrics } from './read-metrics.ts';

const number = '+447700900001';
const person = '+447700900123';
const message = {
  chatapp_number: number,
  to_chatapp_number: person,
  type: 'TEMPLATE',
  template: { template_name: 'welcome' },
};

describe('a server that works', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  });
  after(() => app.close());

  const reaches = (series: string, least: number) =>
    until(series, async () => ((await readMetrics(app)).value(series) ?? 0) >= least);

  it('counts each status that messages and SMS reach, once', async () => {
    for (const [url, body] of [
      ['/v2/chatapp/messages/', message],
      ['/v2/send-sms/', { from: number, to: person, text: 'Hello' }],
    ] as const) {
      assert.equal((await app.call('POST', url, body)).status, 201);
    }
    await reaches('parley_messages_total{status="read"}', 1);
    await reaches('parley_sms_total{status="delivered"}', 1);
    const shown = await readMetrics(app);
    for (const status of ['queued', 'sent', 'delivered', 'read']) {
      assert.equal(shown.value(`parley_messages_total{status="${status}"}`), 1, status);
    }
    for (const status of ['queued', 'sent', 'delivered']) {
      assert.equal(shown.value(`parley_sms_total{status="${status}"}`), 1, status);
    }
    assert.equal(shown.value('parley_messages_total{status="failed"}'), 0);
  });

  it('counts attempts to deliver webhooks by how they ended', async () => {
    // Nobody listens there.
    const callback = { ...message, callback_url: 'http://127.0.0.1:1/' };
    assert.equal((await app.call('POST', '/v2/chatapp/messages/', callback)).status, 201);
    await reaches('parley_webhook_attempts_total{outcome="retry"}', 1);
    await reaches('parley_webhook_attempt_duration_seconds_count', 1);
  });

  it('counts calls when they start, are answered and end', async () => {
    const call = { from: number, to: person, tts: 'Hello' };
    assert.equal((await app.call('POST', '/v2/voice/calls/', call)).status, 201);
    await reaches('parley_calls_total{direction="outbound",step="started"}', 1);
    await reaches('parley_calls_total{direction="outbound",step="answered"}', 1);
    await reaches('parley_calls_ended_total{direction="outbound",result="answered"}', 1);
    assert.equal((await readMetrics(app)).value('parley_calls_live{direction="outbound"}'), 0);
  });

  it('shows links, pools, the event loop and restarts, with and without anything to show', async () => {
    const shown = await readMetrics(app);
    for (const series of [
      'parley_sms_links{carrier="smpp",state="up"}',
      'parley_sms_links{carrier="smpp",state="down"}',
      'parley_voice_links{carrier="sip",state="up"}',
      'parley_rtp_packets_total{state="lost"}',
      'parley_rtp_jitter_seconds_count',
      'parley_database_waiting_requests{pool="api"}',
      'parley_process_restarts_total',
      'parley_process_restarts',
    ]) {
      assert.equal(shown.value(series), 0, series);
    }
    assert.ok(shown.value('parley_database_connections_max{pool="background"}')! > 0);
    assert.ok(shown.value('parley_database_connections{pool="background",state="idle"}')! > 0);
    assert.ok(shown.value('parley_event_loop_delay_p99_seconds')! >= 0);
    assert.equal(shown.value('parley_processes'), 1);
  });

  it('names no account, number or id in any label', async () => {
    const { labels } = await readMetrics(app);
    assert.ok(labels.length > 100);
    const telling = labels.filter(
      ({ name, value }) => /[0-9a-f]{8}-[0-9a-f]{4}-/.test(value) || (name !== 'le' && /\d{6}/.test(value)),
    );
    assert.deepEqual(telling, []);
  });
});

describe('a server whose work nobody does', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ ROLES: 'api' });
  });
  after(() => app.close());

  it('shows how much waits in each queue, and for how long', async () => {
    const later = new Date(Date.now() + 3_600_000).toISOString();
    for (const [url, body] of [
      ['/v2/chatapp/messages/', message],
      ['/v2/chatapp/messages/', { ...message, send_at: later }],
      ['/v2/send-sms/', { from: number, to: person, text: 'Hello' }],
      ['/v2/voice/calls/', { from: number, to: person, tts: 'Hello' }],
    ] as const) {
      assert.equal((await app.call('POST', url, body)).status, 201, url);
    }
    await sql`
      insert into jobs (account_id, uuid, type)
      select ${app.accountId}, uuid_floor(now() - interval '1 hour'), 'messages.send'`.execute(app.deps.db);
    await sql`
      insert into inbound_payloads (account_id, chatapp_account, hash, uuid, carrier, body, received)
      values (${app.accountId}, gen_random_uuid(), 'x', gen_random_uuid(), 'cloud-api', '', now() - interval '2 hours')`.execute(
      app.deps.db,
    );
    // Ids may be some seconds ahead of the database where another test has moved the clock of this process.
    const oldest = 'parley_queue_oldest_due_age_seconds{queue="messages"}';
    const shown = await until(
      () => readMetrics(app),
      (read) => read.value(oldest)! > 0,
    );
    for (const [queue, state] of [
      ['messages', 'due'],
      ['messages', 'scheduled'],
      ['sms', 'due'],
      ['calls', 'due'],
      ['jobs', 'due'],
      ['inbound', 'due'],
    ]) {
      assert.equal(shown.value(`parley_queue_depth{queue="${queue}",state="${state}"}`), 1, `${queue} ${state}`);
    }
    for (const queue of ['webhooks', 'campaigns', 'intro_timers']) {
      assert.equal(shown.value(`parley_queue_depth{queue="${queue}",state="due"}`), 0, queue);
      assert.equal(shown.value(`parley_queue_oldest_due_age_seconds{queue="${queue}"}`), 0, queue);
    }
    const age = (queue: string) => shown.value(`parley_queue_oldest_due_age_seconds{queue="${queue}"}`)!;
    assert.ok(age('messages') < 3600, `${age('messages')}`);
    assert.ok(age('jobs') >= 3600 && age('jobs') < 7200, `${age('jobs')}`);
    assert.ok(age('inbound') >= 7200, `${age('inbound')}`);
    assert.equal(shown.value('parley_queue_look_failures_total'), 0);
  });
});
