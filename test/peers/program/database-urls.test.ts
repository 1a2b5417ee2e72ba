import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { missingPgBouncer, type PgBouncer, startPgBouncer } from '../../kit/postgres/pgbouncer.ts';
import { type PostgresPair, startPostgresPair } from '../../kit/postgres/postgres-pair.ts';
import { type Parley, startParley } from '../../kit/program/parley-process.ts';
import { programToken } from '../../kit/program/program.ts';
import { until } from '../../kit/until.ts';

describe('PgBouncer in transaction mode, and a replica to read from', {
  skip: missingPgBouncer,
  timeout: 1_800_000,
}, () => {
  let pair: PostgresPair;
  let directory: string;
  let bouncer: PgBouncer;
  let parley: Parley;
  before(async () => {
    pair = await startPostgresPair();
    directory = await mkdtemp(path.join(os.tmpdir(), 'parley-urls-'));
    bouncer = await startPgBouncer(pair.primary, 5);
    parley = startParley(path.join(directory, 'data'), {
      DATABASE_URL: bouncer.url,
      DATABASE_DIRECT_URL: pair.primary.url,
      DATABASE_READ_URL: pair.standby.url,
      BOOTSTRAP_TOKEN: programToken,
      SIP_PORT: '0',
    });
    await parley.ready();
  });
  after(async () => {
    parley.signal('SIGTERM');
    await parley.ended;
    await bouncer.stop();
    await pair.stop();
    await rm(directory, { recursive: true, force: true });
  });

  const call = async (method: string, url: string, body?: object) => {
    const answer = await fetch(new URL(url, await parley.ready()), {
      method,
      headers: { authorization: `Token ${programToken}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
    return { status: answer.status, body: (await answer.json()) as any };
  };
  const readsOfReplica = async (): Promise<number> => {
    const [row] = await pair.standby.query(`
      select count(*)::int as count from pg_stat_activity
      where application_name = 'parley' and query like '%lists%'`);
    return row.count;
  };

  it('messages, SMS and jobs go their way over a handful of server connections; one session of each process is direct', async () => {
    const sent = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        call('POST', '/v2/send-sms/', { from: '+447700900900', to: `+4477009${20_000 + n}`, text: `number ${n}` }),
      ),
    );
    assert.deepEqual(new Set(sent.map(({ status }) => status)), new Set([201]), JSON.stringify(sent[0]?.body));
    for (const { body } of sent) {
      await until(`${body.uuid} is delivered`, async () => {
        const { body: sms } = await call('GET', `/v2/send-sms/${body.uuid}/`);
        return sms.status === 'DELIVERED';
      });
    }
    const sessions = await pair.primary.query(
      `select query from pg_stat_activity where application_name = 'parley' and client_addr is not null
        and query ilike 'listen%'`,
    );
    assert.ok(sessions.length <= 1, 'one session listens');
    const [{ count }] = await pair.primary.query(
      `select count(*)::int as count from pg_stat_activity where backend_type = 'client backend' and usename = current_user`,
    );
    assert.ok(count <= 5 + 1 + 2, `${count} server connections`);
  });

  it('a list has what was just accepted, and is read from the replica', async () => {
    assert.equal(await readsOfReplica(), 0);
    for (let n = 0; n < 20; n++) {
      const name = `List ${n}`;
      const made = await call('POST', '/v2/lists/', { name });
      assert.equal(made.status, 201, JSON.stringify(made.body));
      const { body } = await call('GET', '/v2/lists/?page_size=100');
      assert.ok(
        body.results.some((list: { name: string }) => list.name === name),
        'what the same token was told is there',
      );
    }
    assert.notEqual(await readsOfReplica(), 0);
  });

  it('without the replica lists are read from the primary', async () => {
    await pair.standby.stop();
    const { status, body } = await call('GET', '/v2/lists/?page_size=100');
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.results.length, 20);
  });
});
