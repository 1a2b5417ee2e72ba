import { setTimeout as sleep } from 'node:timers/promises';
import { readCpu } from '../kit/cpu.ts';
import { type Database, startDatabase } from '../kit/database.ts';
import { call, type Server, startParley } from '../kit/server.ts';
import { type Contender, pollMs, recipientDigits, sender, text, waitLimitMs } from './sms-contender.ts';
import { password, readBound, type Smsc, window } from './smsc.ts';

const systemId = 'parley';

interface Standing {
  /** Since the load began. */
  queued: number;
  sent: number;
  delivered: number;
  failed: number;
  lastMs: number;
}

/** Parley with one link to the centre. Every SMS, every step and every receipt is committed to the disk. */
export async function startSmsParley(
  scope: AsyncDisposableStack,
  smsc: Smsc,
  dataDirectory: string,
): Promise<Contender> {
  const database = await startDatabase(scope, dataDirectory);
  const settings = { DATABASE_URL: database.url, SMPP_ALLOW: '127.0.0.1' };
  const parley = await startParley(scope, { dataDirectory, settings });
  await call(parley, 'POST', '/v2/sms-senders/', { sender });
  await connect(parley, smsc);

  const { rows } = await database.client.query<{ pid: number }>('select pg_backend_pid() as pid');
  let since = new Date();
  const until = (isReached: (standing: Standing) => boolean) => waitForStanding(database, since, isReached);
  return {
    systemId,
    async target() {
      since = new Date();
      const body = JSON.stringify({ from: sender, to: `+44${recipientDigits}1234`, text });
      return { url: `${parley.url}/v2/send-sms/`, args: [parley.token, body] };
    },
    async untilSent(atLeast) {
      await until(({ queued, sent, delivered }) => queued === 0 && sent + delivered >= atLeast);
    },
    async untilReported(count) {
      const { lastMs } = await until(({ delivered }) => delivered === count);
      return lastMs;
    },
    cpu: () => readCpu(parley.pid, rows[0]!.pid),
  };
}

/** Opens a link whose own limits are not what is measured; returns when it is up. */
export async function connect(parley: Server, smsc: Smsc): Promise<void> {
  await call(parley, 'POST', '/v2/sms-links/', {
    carrier: 'smpp',
    host: '127.0.0.1',
    port: smsc.port,
    system_id: systemId,
    password,
    window,
    messages_per_second: 100_000,
  });
  const deadline = performance.now() + waitLimitMs;
  while (!(await readBound(smsc)).includes(systemId)) {
    if (performance.now() > deadline) throw new Error('Parley did not bind');
    await sleep(pollMs);
  }
}

/** Until the SMS are as they should be. One that failed never gets there, and ends the wait. */
export async function waitForStanding(
  { client }: Database,
  since: Date,
  isReached: (standing: Standing) => boolean,
): Promise<Standing> {
  const deadline = performance.now() + waitLimitMs;
  for (;;) {
    const { rows } = await client.query<Standing>(
      `select count(*) filter (where status = 'QUEUED')::int as queued,
        count(*) filter (where status = 'SENT')::int as sent,
        count(*) filter (where status = 'DELIVERED')::int as delivered,
        count(*) filter (where status not in ('QUEUED', 'SENT', 'DELIVERED'))::int as failed,
        (select extract(epoch from max(modified)) * 1000 from sms_states where uuid >= uuid_floor($1))::float8 as "lastMs"
      from sms_standings where uuid >= uuid_floor($1)`,
      [since],
    );
    const standing = rows[0]!;
    if (isReached(standing)) return standing;
    if (standing.failed > 0 || performance.now() > deadline) {
      throw new Error(`SMS failed or took too long: ${JSON.stringify(standing)}`);
    }
    await sleep(pollMs);
  }
}
