import { type Selectable, sql } from 'kysely';
import { isDatabaseAway } from '../../platform/db/connect/failure.ts';
import { type Listener, notify } from '../../platform/db/connect/listener.ts';
import type { Db } from '../../platform/db/connect/pool.ts';
import { keysetPage, type PageQuery } from '../../platform/db/page.ts';
import type { SandboxFaults } from '../../platform/db/types.ts';
import { newId } from '../../platform/ids.ts';
import { answerLost, type Behaviour, carrierDown, notAUser, tooMany } from './chat/behaviours.ts';

/** How a hand-over is made to end, whatever the number's own behaviour is. */
export interface Fault extends Pick<Behaviour, 'title' | 'answer' | 'takenAnyway' | 'answerDelayMs'> {
  /** The hand-over fails as a whole, with all that leaves with it. */
  breaks?: boolean;
}

/** By kind. Kinds without an answer of their own leave that to the number. */
export const faults = {
  reject: { title: 'refused with 131026', answer: () => notAUser },
  retry: { title: 'the carrier is down: the message is postponed', answer: () => carrierDown },
  throttle: {
    title: 'too many messages: the whole sender is slowed down',
    answer: () => ({ ...tooMany, slowsSender: true }),
  },
  unknown_taken: { title: 'accepted, but the response is lost', answer: () => answerLost, takenAnyway: true },
  unknown_lost: { title: 'not accepted, and no response', answer: () => answerLost },
  slow: { title: 'the response takes two seconds', answerDelayMs: 2000 },
  break: { title: 'the carrier breaks down: it accepts nothing of the whole hand-over', breaks: true },
} satisfies Record<string, Fault>;
export type FaultKind = keyof typeof faults;

const faultTopic = 'sandbox-faults';

/**
 * The faults that await hand-overs. Which accounts have any is remembered until somebody sets one, so a hand-over
 * without faults asks nobody.
 */
export function followFaults(db: Db, listener: Listener) {
  let faulty: Promise<Set<string>> | undefined;
  const forget = (): void => {
    faulty = undefined;
  };
  listener.on(faultTopic, forget);

  const read = (): Promise<Set<string>> => {
    const reading = readFaultyAnyAccount(db);
    reading.catch(forget);
    return reading;
  };

  return {
    /**
     * Uses up the faults of the next `count` messages of an account, in their order; fewer when there are fewer. undefined: the
     * database is away.
     */
    async next(accountId: string, count: number): Promise<Fault[] | undefined> {
      try {
        faulty ??= read();
        const accounts = await faulty;
        if (!accounts.has(accountId)) return [];
        const kinds = await takeFaults(db, accountId, count);
        if (kinds.length < count) accounts.delete(accountId);
        return kinds.map((kind) => faults[kind]);
      } catch (error) {
        if (isDatabaseAway(error)) return undefined;
        throw error;
      }
    },
  };
}

/** Makes the next hand-overs of an account end in a certain way. */
export async function setFault(
  { db, listener }: { db: Db; listener: Listener },
  accountId: string,
  fault: { kind: string; count: number },
): Promise<FaultRow> {
  const row = await insertFault(db, accountId, fault);
  // With the commit for every process; and in this one before the caller has the answer and sends a message.
  await notify(db, faultTopic);
  listener.signal(faultTopic, '');
  return row;
}

export type FaultRow = Selectable<SandboxFaults>;

const insertFault = (db: Db, accountId: string, { kind, count }: { kind: string; count: number }) =>
  db
    .insertInto('sandbox_faults')
    .values({ account_id: accountId, uuid: newId(), kind, count, remaining: count })
    .returningAll()
    .executeTakeFirstOrThrow();

export const listFaults = (db: Db, accountId: string, query: PageQuery) =>
  keysetPage(db, db.selectFrom('sandbox_faults').selectAll().where('account_id', '=', accountId), query);

export async function deleteFaults(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('sandbox_faults').where('account_id', '=', accountId).execute();
}

async function readFaultyAnyAccount(db: Db): Promise<Set<string>> {
  const rows = await db.selectFrom('sandbox_faults').select('account_id').distinct().execute();
  return new Set(rows.map((row) => row.account_id));
}

/** Uses up to `most` faults of an account, oldest first; one kind for each. Whoever comes at the same time gets others. */
export async function takeFaults(db: Db, accountId: string, most: number): Promise<FaultKind[]> {
  const { rows } = await sql<{ kind: FaultKind; used: number }>`
    with locked as materialized (
      select uuid, kind, remaining from sandbox_faults
      where account_id = ${accountId} order by uuid limit ${most} for update
    ), counted as (
      select *, sum(remaining) over (order by uuid) - remaining as before from locked
    ), taken as (
      select uuid, kind, remaining, least(remaining, ${most} - before)::integer as used
      from counted where before < ${most}
    ), emptied as (
      delete from sandbox_faults as fault using taken
      where fault.account_id = ${accountId} and fault.uuid = taken.uuid and taken.used = taken.remaining
    ), lessened as (
      update sandbox_faults as fault set remaining = fault.remaining - taken.used from taken
      where fault.account_id = ${accountId} and fault.uuid = taken.uuid and taken.used < taken.remaining
    )
    select kind, used from taken order by uuid`.execute(db);
  return rows.flatMap(({ kind, used }) => Array<FaultKind>(used).fill(kind));
}
