// A campaign whose workers are killed six times and whose database lets all connections fall: everybody gets it, nobody twice.
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Db, makeDb, makePool } from '../../../src/platform/db/connect/pool.ts';
import { makeLog } from '../../../src/platform/log.ts';
import { type Processes, programToken, startProcesses } from '../../kit/program/program.ts';
import { until } from '../../kit/until.ts';

/** 100,000 take some minutes: `CAMPAIGN_RECIPIENTS=100000 node --test …` */
const recipients = Number(process.env['CAMPAIGN_RECIPIENTS'] ?? 1500);
const kills = 6;
const patienceMs = Math.max(1_800_000, recipients * 20);
const linuxOnly = { skip: process.platform === 'linux' ? false : 'finds processes in /proc' };

describe('a campaign while its workers are killed six times', linuxOnly, () => {
  let processes: Processes;
  let db: Db;
  let url = '';
  before(async () => {
    processes = await startProcesses({});
    db = makeDb(makePool(processes.connection, makeLog({ level: 'silent', pretty: false })));
    url = await processes.start('api').ready();
  });
  after(async () => {
    await db.destroy();
    await processes.stop();
  });

  // The sandbox's phones are at the other end of a connector.
  const startWorker = () => processes.start('worker,connector');

  const call = async (method: string, place: string, body?: object) => {
    const answer = await fetch(url + place, {
      method,
      headers: { authorization: `Token ${programToken}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    assert.ok(answer.ok, `${method} ${place}: ${answer.status} ${text}`);
    return JSON.parse(text);
  };

  /** Everybody on a list; all with the same ending, which does not steer the sandbox. */
  const fillList = async (): Promise<string> => {
    const list = await call('POST', '/v2/lists/', { name: 'Everybody' });
    await sql`
      with made as (
        insert into contacts (account_id, uuid, phone_number, digits, name)
        select account.uuid, uuidv7(), '+' || digits, digits, 'Person ' || n
        from accounts as account, generate_series(1, ${recipients}) as n,
          lateral (select '44' || lpad(n::text, 6, '0') || '1111' as digits) as numbered
        returning account_id, uuid
      )
      insert into list_members (account_id, list, contact, added_at)
      select account_id, ${list.uuid}, uuid, now() - interval '1 minute' from made`.execute(db);
    return list.uuid;
  };

  it('reaches each recipient at the carrier exactly once', async (t) => {
    const sender = '+447700900001';
    await call('POST', '/v2/chatapp/accounts/', {
      chatapp_number: sender,
      carrier: 'sandbox',
      messages_per_second: 5000,
    });
    const campaign = await call('POST', '/v2/campaigns/', {
      name: 'To all',
      channel: 'CHATAPP',
      sender,
      lists: [await fillList()],
      template: {
        template_name: 'offer',
        components: [{ type: 'body', parameters: [{ type: 'text', text: '{{ name }}' }] }],
      },
    });
    const launch = await call('POST', `/v2/campaigns/${campaign.uuid}/launch/`, {});
    const look = () => call('GET', `/v2/campaign-logs/${launch.uuid}/`);
    const leftOf = (log: { sent: number; delivered: number; read: number }): number =>
      log.sent + log.delivered + log.read;
    const comes = (holds: (log: Awaited<ReturnType<typeof look>>) => boolean) =>
      until('the launch', look, holds, patienceMs);

    let worker = startWorker();
    for (let deaths = 1; deaths <= kills; deaths++) {
      // Spread over the whole of it, in the middle of whatever is done then.
      await comes((log) => leftOf(log) >= ((deaths - 0.5) / kills) * recipients);
      await sleep(randomInt(0, 100));
      if (deaths === kills / 2) {
        await sql`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`.execute(db);
      }
      worker.signal('SIGKILL');
      await worker.ended;
      worker = startWorker();
    }
    await comes((log) => log.status === 'COMPLETED' && log.read === recipients);

    const { rows } = await sql<{ taken: number; people: number; messages: number }>`
      select count(*) as taken, count(distinct message.to_digits) as people,
        (select count(*) from messages where campaign_log = ${launch.uuid}) as messages
      from sandbox_messages as taken
      join messages as message on message.account_id = taken.account_id and message.uuid = taken.message`.execute(db);
    t.diagnostic(JSON.stringify(rows[0]));
    assert.deepEqual(rows[0], { taken: recipients, people: recipients, messages: recipients });
    const ledger = await call('GET', '/v2/account/ledger/');
    assert.deepEqual([ledger.accepted, ledger.final.read, ledger.unaccounted], [recipients, recipients, 0]);
  });
});
