import { sql } from 'kysely';
import { Counter } from 'prom-client';
import type { Deps } from '../deps.ts';
import { appendEvents } from '../domains/timeline/index.ts';
import { uuidArray } from '../platform/db/arrays.ts';
import type { Db } from '../platform/db/connect/pool.ts';
import { onTakeover } from '../platform/db/connect/takeover.ts';
import { isAudited, pathInAudit } from '../platform/http/audit.ts';
import type { Answer, Route } from '../platform/http/route.ts';
import { keepNewest } from '../platform/work/newest.ts';
import { type Change, packedShelf, type Stored } from './acknowledged-shelf.ts';

/** Operations that answer with the `uuid` of what they stored, or with a list of such, and the table that has it. */
const tables: Record<string, string> = {
  createMessage: 'messages',
  sendSms: 'sms',
  sendMultipleSms: 'sms',
  startCall: 'calls',
  createContact: 'contacts',
  createChatIntro: 'chat_intros',
  createCampaign: 'campaigns',
  launchCampaign: 'campaign_logs',
  submitLead: 'leads',
};

/** An asynchronous standby is rarely further behind. */
const keptMs = 30_000;
/** Of each such span the newest: they are what a standby is likeliest to lack. */
const mostKept = 100_000;
const mostNamed = 100;

/**
 * What this process has told its clients to be stored, for a minute. When the database is another one afterwards, a standby that took
 * over and was behind, whatever is missing there is reported: in the log, at `/metrics`, and on the timeline of its account. Changes
 * are known by their entries in the audit log, which are stored together with them or after them.
 */
export function startAcknowledged({ db, listener, log, metrics }: Pick<Deps, 'db' | 'listener' | 'log' | 'metrics'>) {
  const lost = new Counter({
    name: 'parley_lost_in_failover_total',
    help: 'What was answered with success and is not in the database since a standby took over, by table.',
    labelNames: ['table'],
    registers: [metrics],
  });
  const newest = keepNewest(mostKept, keptMs, () => performance.now(), packedShelf);

  async function compare(): Promise<void> {
    const missing: Stored[] = [];
    const passedOver = newest.passedOver();
    for (const [table, some] of Map.groupBy(newest.kept(), tableOf)) {
      missing.push(...(await findMissing(db, table, some)));
    }
    if (passedOver > 0) {
      log.error(
        { passedOver },
        'A standby took over; so much of what was answered with success before is not compared',
      );
    }
    const reports = [...Map.groupBy(missing, (one) => `${one.accountId} ${tableOf(one)}`).values()].map((theirs) => ({
      accountId: theirs[0]!.accountId,
      data: reportOf(theirs),
    }));
    const about = { subjectType: 'account', kind: 'account.data_lost' } as const;
    await appendEvents(
      db,
      reports.map(({ accountId, data }) => ({ ...about, accountId, subject: accountId, data })),
    );
    // Not before all of it is stored: a failure until here is tried again.
    for (const { accountId, data } of reports) {
      lost.inc({ table: data.table }, data.count);
      log.error({ accountId, ...data }, 'A standby took over that did not have what was answered with success before');
    }
  }

  const takeovers = onTakeover({ listener, log }, 'What a failover has lost could not be found out', compare);

  return {
    /** For an operation: what is to be told of each of its successes; undefined: nothing. */
    noteOf(route: Noted): ((accountId: string, answer: Answer, url: string) => void) | undefined {
      const table = tables[route.operationId];
      if (table !== undefined) {
        return (accountId, answer) => {
          if (answer.status !== 201) return;
          for (const uuid of uuidsOf(answer)) newest.add({ accountId, uuid, what: table });
        };
      }
      if (!isAudited(route)) return undefined;
      return (accountId, answer, url) => {
        if (answer.auditEntry === undefined) return;
        const change: Change = { operation: route.operationId, path: pathInAudit(route, url) };
        const made = answer.status === 201 || answer.status === 202 ? uuidsOf(answer) : [];
        if (made.length === 1) change.uuid = made[0]!;
        newest.add({ accountId, uuid: answer.auditEntry, what: change });
      };
    },
    stop: takeovers.stop,
  };
}
export type Acknowledged = ReturnType<typeof startAcknowledged>;

type Noted = Pick<Route<unknown>, 'operationId' | 'method' | 'scope' | 'audit' | 'auditPath'>;

const tableOf = ({ what }: Stored): string => (typeof what === 'string' ? what : 'audit_log');

const start = '{"uuid":"';
function uuidsOf({ text, body }: Answer): string[] {
  if (text !== undefined) return text.startsWith(start) ? [text.slice(start.length, start.length + 36)] : [];
  const { uuid, results } = (body ?? {}) as { uuid?: string; results?: { uuid?: string }[] };
  return (results ?? [{ uuid }]).flatMap(({ uuid }) => (uuid === undefined ? [] : [uuid]));
}

/** What is told of things of one account in one table. */
function reportOf(missing: Stored[]) {
  const named = missing.slice(0, mostNamed);
  const changes = named.flatMap(({ what }) => (typeof what === 'string' ? [] : [what]));
  return {
    table: tableOf(missing[0]!),
    count: missing.length,
    uuids: named.map(({ uuid }) => uuid),
    ...(changes.length > 0 && { changes }),
  };
}

async function findMissing(db: Db, table: string, stored: Stored[]): Promise<Stored[]> {
  const { rows } = await sql<{ uuid: string }>`
    select given.uuid
    from unnest(${uuidArray(stored.map(({ accountId }) => accountId))}::uuid[],
      ${uuidArray(stored.map(({ uuid }) => uuid))}::uuid[]) as given (account_id, uuid)
    where not exists (
      select 1 from ${sql.table(table)} as kept where kept.account_id = given.account_id and kept.uuid = given.uuid)`.execute(
    db,
  );
  const missing = new Set(rows.map(({ uuid }) => uuid));
  return stored.filter(({ uuid }) => missing.has(uuid));
}
