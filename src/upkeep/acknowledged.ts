import { sql } from 'kysely';
import { Counter } from 'prom-client';
import type { Deps } from '../deps.ts';
import { appendEvents } from '../domains/timeline/index.ts';
import { uuidArray } from '../platform/db/arrays.ts';
import { timelineText } from '../platform/db/connect/listener.ts';
import type { Db } from '../platform/db/connect/pool.ts';
import type { Answer } from '../platform/http/route.ts';
import { pause } from '../platform/time/pause.ts';
import { keepNewest } from './newest.ts';

/** Operations that answer with the `uuid` of what they stored, and the table that has it. */
const tables: Record<string, string> = {
  createMessage: 'messages',
  sendSms: 'sms',
  startCall: 'calls',
  createContact: 'contacts',
  createChatIntro: 'chat_intros',
  createCampaign: 'campaigns',
  launchCampaign: 'campaign_logs',
  submitLead: 'leads',
};

interface Stored {
  table: string;
  accountId: string;
  uuid: string;
}

/** An asynchronous standby is rarely further behind. */
const keptMs = 30_000;
/** Of each such span the newest: they are what a standby is likeliest to lack. */
const mostKept = 100_000;
const mostNamed = 100;
const [tries, triesMs] = [30, 1_000];

/**
 * What this process has told its clients to be stored, for a minute. When the database is another one afterwards, a standby that took
 * over and was behind, whatever is missing there is reported: in the log, at `/metrics`, and on the timeline of its account.
 */
export async function startAcknowledged({
  db,
  listener,
  log,
  metrics,
}: Pick<Deps, 'db' | 'listener' | 'log' | 'metrics'>) {
  const lost = new Counter({
    name: 'parley_lost_in_failover_total',
    help: 'What was answered with success and is not in the database since a standby took over, by table.',
    labelNames: ['table'],
    registers: [metrics],
  });
  const newest = keepNewest<Stored>(mostKept, keptMs, () => performance.now());
  let timeline = await readTimeline(db);

  async function compare(): Promise<void> {
    const now = await readTimeline(db);
    if (now === timeline) return;
    const missing: Stored[] = [];
    const passedOver = newest.passedOver();
    for (const [table, some] of Map.groupBy(newest.kept(), (one) => one.table)) {
      missing.push(...(await findMissing(db, table, some)));
    }
    // Not before all of it is known: a failure until here is tried again.
    timeline = now;
    if (passedOver > 0) {
      log.error(
        { passedOver },
        'A standby took over; so much of what was answered with success before is not compared',
      );
    }
    const reports = [...Map.groupBy(missing, ({ accountId, table }) => `${accountId} ${table}`).values()].map(
      (theirs) => {
        const { accountId, table } = theirs[0]!;
        const uuids = theirs.map(({ uuid }) => uuid);
        return { accountId, data: { table, count: uuids.length, uuids: uuids.slice(0, mostNamed) } };
      },
    );
    for (const { accountId, data } of reports) {
      lost.inc({ table: data.table }, data.count);
      log.error({ accountId, ...data }, 'A standby took over that did not have what was answered with success before');
    }
    const about = { subjectType: 'account', kind: 'account.data_lost' } as const;
    await appendEvents(
      db,
      reports.map(({ accountId, data }) => ({ ...about, accountId, subject: accountId, data })),
    );
  }

  let comparing: Promise<void> | undefined;
  let isStopped = false;
  async function compareInTime(): Promise<void> {
    for (let tried = 1; tried <= tries && !isStopped; tried++) {
      try {
        return await compare();
      } catch (error) {
        if (tried === tries) log.error({ err: error }, 'What a failover has lost could not be found out');
        else await pause(triesMs);
      }
    }
  }
  // After a gap, that is: when the session was lost and is there again.
  listener.on('acknowledged', () => {
    comparing ??= compareInTime().finally(() => {
      comparing = undefined;
    });
  });

  return {
    /** For an operation: what is to be told of each of its answers; undefined: nothing. */
    noteOf(operationId: string): ((accountId: string, answer: Answer) => void) | undefined {
      const table = tables[operationId];
      if (table === undefined) return undefined;
      return (accountId, answer) => {
        const uuid = uuidOf(answer);
        if (uuid !== undefined) newest.add({ table, accountId, uuid });
      };
    },
    async stop(): Promise<void> {
      isStopped = true;
      await comparing;
    },
  };
}
export type Acknowledged = Awaited<ReturnType<typeof startAcknowledged>>;

const start = '{"uuid":"';
function uuidOf({ text, body }: Answer): string | undefined {
  if (text !== undefined) return text.startsWith(start) ? text.slice(start.length, start.length + 36) : undefined;
  return (body as { uuid?: string } | undefined)?.uuid;
}

async function readTimeline(db: Db): Promise<string> {
  const { rows } = await sql<{ timeline: string }>`select ${sql.raw(timelineText)} as timeline`.execute(db);
  return rows[0]!.timeline;
}

async function findMissing(db: Db, table: string, stored: Stored[]): Promise<Stored[]> {
  const { rows } = await sql<{ uuid: string }>`
    select given.uuid
    from unnest(${uuidArray(stored.map(({ accountId }) => accountId))}::uuid[],
      ${uuidArray(stored.map(({ uuid }) => uuid))}::uuid[]) as given (account_id, uuid)
    where not exists (
      select from ${sql.table(table)} as kept where kept.account_id = given.account_id and kept.uuid = given.uuid)`.execute(
    db,
  );
  const missing = new Set(rows.map(({ uuid }) => uuid));
  return stored.filter(({ uuid }) => missing.has(uuid));
}
