// Messages and SMS through the sandbox while the database makes trouble, and what must hold of them in the end.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../../../src/platform/config.ts';
import { makeLog } from '../../../src/platform/log.ts';
import { start } from '../../../src/start.ts';
import { createTestDatabase, makeTestPool } from '../../kit/database.ts';
import { until } from '../../kit/until.ts';
import { startReceiver } from '../../kit/webhooks/receiver.ts';
import { type DatabaseProxy, startDatabaseProxy } from './database-proxy.ts';

type Channel = 'message' | 'sms';

interface Sent {
  channel: Channel;
  to: string;
  /** Of what may be repeated without harm. */
  key: string | undefined;
  /** What the 201 said. */
  uuid?: string;
}

export interface Stage {
  proxy: DatabaseProxy;
  /** Every answer but 201, as `status code`, and how often it came. */
  answers: ReadonlyMap<string, number>;
  ask(method: string, path: string, body?: unknown, key?: string): Promise<{ status: number; body: Body }>;
  /** Sends one of each kind: a message and an SMS, with a key and without. What has a key is repeated until it is accepted. */
  send(): Promise<void>;
  /** Waits until all that was accepted is final, and asserts that nothing is lost, twice, or left in somebody's hand. */
  settle(): Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: rows of every shape
  query(text: string): Promise<any[]>;
  close(): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
type Body = any;

const token = 'a-token-for-hostile-tests';
const finals: Record<Channel, string> = { message: 'READ', sms: 'DELIVERED' };
/** What drivers and servers say of broken connections. */
const driverText =
  /terminat|connection|ECONN|EPIPE|database|postgres|queryable|timeout|shutting|starting up|sql|broke down|interrupted|receipt/i;

export async function startStage(): Promise<Stage> {
  const database = await createTestDatabase();
  const proxy = await startDatabaseProxy(database.connection);
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'parley-cuts-'));
  const config = readConfig({ BOOTSTRAP_TOKEN: token, DATA_DIR: dataDir, WEBHOOK_ALLOW: '127.0.0.0/8' });
  const log = makeLog({ level: 'silent', pretty: false });
  const running = await start({ config, connection: proxy.connection, secretKeys: ['a key for tests'], log });
  const url = await running.app.listen({ port: 0, host: '127.0.0.1' });
  const outside = makeTestPool(database.connection, 2);
  const receiver = await startReceiver();
  const sent: Sent[] = [];
  const answers = new Map<string, number>();

  const ask: Stage['ask'] = async (method, path, body, key) => {
    const headers = {
      authorization: `Token ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    };
    const answer = await fetch(url + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Body };
  };

  const sendOne = async (channel: Channel, hasKey: boolean): Promise<void> => {
    // A phone of its own, so that whoever got something twice stands out. Endings 90NN would steer the sandbox.
    const to = `+4477${String(10_000_000 + sent.length)}`;
    const one: Sent = { channel, to, key: hasKey ? randomUUID() : undefined };
    sent.push(one);
    const [place, body] =
      channel === 'sms'
        ? ['/v2/send-sms/', { from: '+447700900900', to, text: 'Hello' }]
        : [
            '/v2/chatapp/messages/',
            {
              chatapp_number: '+447700900001',
              to_chatapp_number: to,
              type: 'TEMPLATE',
              template: { template_name: 'hi' },
            },
          ];
    for (;;) {
      const { status, body: answer } = await ask('POST', place, body, one.key);
      if (status === 201) {
        one.uuid = answer.uuid;
        return;
      }
      const said = `${status} ${answer.code}`;
      answers.set(said, (answers.get(said) ?? 0) + 1);
      assert.ok([503, 409].includes(status), `${said}: ${JSON.stringify(answer)}`);
      if (!one.key) return;
      await sleep(50);
    }
  };

  const query: Stage['query'] = async (text) => (await outside.query(text)).rows;

  const open = async () =>
    query(`
      select 'message' as channel, to_chatapp_number as to, status, status_description from message_states
        join messages using (account_id, uuid) where direction = 'OUTBOUND' and status <> '${finals.message}'
      union all
      select 'sms', to_number, standing.status, coalesce(state.status_description, '') from sms_standings as standing
        join sms using (account_id, uuid) left join sms_states as state using (account_id, uuid)
        where standing.status <> '${finals.sms}'`);
  const held = async () =>
    query(`
      select 'message' as what, count(*)::integer from message_states where claimed_by is not null having count(*) > 0
      union all select 'sms', count(*)::integer from sms_states where claimed_by is not null having count(*) > 0
      union all select 'webhook', count(*)::integer from webhook_queue having count(*) > 0
      union all select 'in hand', count(*)::integer from sms_in_hand having count(*) > 0`);

  const hook = await ask('POST', '/v2/chatapp/webhooks/', { url: receiver.url, events: ['chatapp.message.status'] });
  assert.equal(hook.status, 201, JSON.stringify(hook.body));
  return {
    proxy,
    answers,
    ask,
    query,
    async send() {
      await Promise.all([
        sendOne('message', true),
        sendOne('message', false),
        sendOne('sms', true),
        sendOne('sms', false),
      ]);
    },
    async settle() {
      await until(
        'nothing is open or held',
        async () => [...(await open()), ...(await held())],
        (left) => left.length === 0,
      );
      const stored = await query(`
        select 'message' as channel, uuid, to_chatapp_number as to from messages where direction = 'OUTBOUND'
        union all select 'sms', uuid, to_number from sms where direction = 'OUTBOUND'`);
      const byPhone = Map.groupBy(stored, ({ to }) => to);
      for (const one of sent) {
        const rows = byPhone.get(one.to) ?? [];
        const what = JSON.stringify({ one, rows });
        assert.ok(rows.length <= 1, `accepted twice: ${what}`);
        if (one.uuid) assert.deepEqual(rows, [{ channel: one.channel, uuid: one.uuid, to: one.to }], `lost: ${what}`);
      }
      const twice = await query(`
        select phone_number, count(*)::integer from sandbox_messages where direction = 'OUTBOUND'
        group by phone_number having count(*) > 1`);
      assert.deepEqual(twice, [], 'the sandbox was given these twice');
      const [taken] = await query(`select count(*)::integer from sandbox_messages where direction = 'OUTBOUND'`);
      assert.equal(taken.count, stored.length, 'the sandbox was given all of them');
      const heard = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
      const told = await query(`select event, status from webhook_deliveries`);
      for (const { event, status } of told) assert.deepEqual([status, heard.has(event)], ['SUCCEEDED', true], event);
      assert.ok(
        told.length >= stored.filter(({ channel }) => channel === 'message').length * 3,
        'SENT, DELIVERED, READ',
      );
      const said = await query(`
        select distinct status_description as text from message_states
        union select distinct status_description from sms_states
        union select distinct data ->> 'description' from events where kind ~ 'postponed|unknown'`);
      for (const { text } of said) assert.doesNotMatch(text ?? '', driverText);
      assert.equal((await ask('GET', '/v2/account/ledger/')).body.unaccounted, 0);
      assert.ok(![...answers.keys()].some((answer) => answer.startsWith('500')));
    },
    async close() {
      await running.stop().catch(() => {});
      await proxy.close();
      await receiver.close();
      await outside.end();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
