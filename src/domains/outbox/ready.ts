import { sql } from 'kysely';
import { clockTopic } from '../../carriers/ports/carriers.ts';
import type { Deps } from '../../deps.ts';
import { uuidArray } from '../../platform/db/arrays.ts';
import type { Db } from '../../platform/db/connect/pool.ts';
import { type OfAccount, perAccount } from '../../platform/db/distribute/layout.ts';
import { isOurTrouble } from '../../platform/work/split-on-failure.ts';
import type { StatesTable } from './outbox.ts';
import { laterText, waitingOf } from './statuses.ts';

/**
 * A message that is due later, because it was scheduled or put off, is not `ready`. Looks for what may leave skip it, so it costs
 * nothing until it is marked. To mark a message too early does no harm, because a claim compares the moment as well; to miss one
 * would. An account that moved its sandbox clock has moments of its own, so all that it sends is ready at once.
 */

/** How many become ready by one statement. */
const mostMarked = 1000;
/**
 * When to look again after an account moved its clock: a process that was accepting something at that moment may not have seen the
 * move.
 */
const lookAgainMs = [0, 2_000, 10_000, 60_000];

const hasClockText = (accounts: string): string =>
  `array(select clock.account_id from sandbox_clocks as clock where clock.account_id = any (${accounts}))`;

/** SQL text: whether a row is ready from the beginning, by its `account_id` and `due_at`. `accounts` is an array with its account and others. */
export const isReadyText = (accounts: string): string =>
  `case when due_at <= now() then true else account_id = any (${hasClockText(accounts)}) end`;

/** The last row of a look: when the first of what is not ready is due. */
export interface FirstLater {
  account_id: null;
  due_at: string;
}

/** SQL text of that row: `nulls` stand for all columns but the last. */
export const firstLaterText = (table: StatesTable['states'], nulls: number): string => `
  select ${'null, '.repeat(nulls)} greatest(later.due_at, 'epoch') from (
    select due_at from ${table} where ${laterText} and due_at < 'infinity' order by due_at limit 1) as later`;

export function makeReady({ states: table, topic }: StatesTable) {
  const states = sql.table(table);
  const later = sql.raw(laterText);

  /**
   * Marks what has become due; answers how many rows. It skips rows that somebody else has locked, which are being marked or moved
   * at this moment. If the statement fails, each account is tried by itself.
   */
  async function markDueAnyAccount({ db, log }: Deps, now: Date): Promise<number> {
    const isDue = sql`${later} and due_at <= ${now.toISOString()}`;
    const accounts = sql`(select account_id from ${states} where ${isDue} order by due_at limit ${mostMarked})`;
    const mark = async (ofAccount: OfAccount): Promise<unknown[]> => {
      const { rows } = await sql`
        with due as materialized (
          select account_id, uuid from ${states} where ${isDue} and ${ofAccount('account_id')}
          order by due_at limit ${mostMarked} for no key update skip locked
        )
        update ${states} as state set ready = true
        -- From arrays, so that each is looked up: a join would be planned for the few rows that a young partition had.
        from unnest(array(select account_id from due), array(select uuid from due)) as marked (account_id, uuid)
        where state.account_id = marked.account_id and state.uuid = marked.uuid and ${ofAccount('state.account_id')}
        returning 1`.execute(db);
      return rows;
    };
    try {
      return (await perAccount(db, accounts, mark)).length;
    } catch (error) {
      if (isOurTrouble(error)) throw error;
    }
    const { rows } = await sql<{ account_id: string }>`select distinct account_id from ${accounts} as due`.execute(db);
    let marked = 0;
    for (const { account_id: accountId } of rows) {
      const its = await mark((column) => sql<boolean>`${sql.ref(column)} = ${accountId}::uuid`).catch((error) => {
        log.warn({ err: error, accountId }, 'What has become due could not be marked');
        return [];
      });
      marked += its.length;
    }
    return marked;
  }

  /**
   * Marks all queued messages of an account that has moved its clock; answers how many. Rows are locked in the order that everybody
   * locks states in.
   */
  async function markAccount(db: Db, accountId: string): Promise<number> {
    const { rows } = await sql<{ uuid: string }>`
      select uuid from ${states}
      where account_id = ${accountId} and ${later} and due_at < 'infinity'
        and exists (select 1 from sandbox_clocks where account_id = ${accountId})
      order by uuid for no key update`.execute(db);
    if (rows.length === 0) return 0;
    // By a statement of its own: see decision 65.
    await sql`
      update ${states} set ready = true
      where account_id = ${accountId} and uuid = any (${uuidArray(rows.map(({ uuid }) => uuid))}::uuid[])`.execute(db);
    return rows.length;
  }

  /** Accounts that have moved their clocks and still have something that is not ready. */
  async function findHiddenAnyAccount(db: Db): Promise<string[]> {
    const { rows: clocks } = await sql`select 1 from sandbox_clocks limit 1`.execute(db);
    if (clocks.length === 0) return [];
    const { rows } = await sql<{ account_id: string }>`
      select distinct state.account_id from ${states} as state
      join sandbox_clocks as clock on clock.account_id = state.account_id
      where ${sql.raw(waitingOf('state'))} and not state.ready and state.due_at < 'infinity'`.execute(db);
    return rows.map(({ account_id }) => account_id);
  }

  /**
   * Finds what may leave. `look` runs a statement that ends in `firstLaterText`. If something has become due meanwhile, it is
   * marked, and `look` runs again. `within` is told how soon to look the next time.
   */
  async function findReady<P extends { account_id: string }>(
    deps: Deps,
    look: (db: Db) => Promise<(P | FirstLater)[]>,
    within: (ms: number) => void,
  ): Promise<P[]> {
    const { db, clock, listener } = deps;
    const now = clock.now();
    const isPlace = (row: P | FirstLater): row is P => row.account_id !== null;
    const msOf = (rows: (P | FirstLater)[]): number => {
      const later = rows.find((row): row is FirstLater => !isPlace(row));
      return later ? Date.parse(later.due_at) - now.getTime() : Number.POSITIVE_INFINITY;
    };
    const first = await look(db);
    if (msOf(first) > 0) {
      within(msOf(first));
      return first.filter(isPlace);
    }
    const marked = await markDueAnyAccount(deps, now);
    if (marked === 0) return first.filter(isPlace);
    // Another process may have the link that they leave by.
    listener.signal(topic, '');
    const second = await look(db);
    within(msOf(second));
    return second.filter(isPlace);
  }

  /** Marks what an account has in the queue when its clock is moved, and what was being accepted at that moment. */
  function followClocks({ db, listener, log }: Deps): { stop(): Promise<void> } {
    /** By account, or '' for all: when to look again. */
    const timers = new Map<string, NodeJS.Timeout>();
    const underWay = new Set<Promise<void>>();
    let isStopped = false;

    const markMoved = async (accountId: string): Promise<void> => {
      let marked = 0;
      for (const one of accountId === '' ? await findHiddenAnyAccount(db) : [accountId]) {
        if (!isStopped) marked += await markAccount(db, one);
      }
      if (marked > 0) listener.signal(topic, '');
    };
    const lookAgain = (accountId: string, looks: number): void => {
      clearTimeout(timers.get(accountId));
      timers.delete(accountId);
      const pauseMs = lookAgainMs[looks];
      if (isStopped || pauseMs === undefined) return;
      const look = (): void => {
        const looking = markMoved(accountId)
          .catch((error) => log.warn({ err: error }, 'What a moved clock made due could not be marked'))
          .finally(() => {
            underWay.delete(looking);
            // Unless it was moved again meanwhile.
            if (timers.get(accountId) === timer) lookAgain(accountId, looks + 1);
          });
        underWay.add(looking);
      };
      const timer = setTimeout(look, pauseMs).unref();
      timers.set(accountId, timer);
    };
    listener.on(clockTopic, (accountId) => lookAgain(accountId, 0));
    lookAgain('', 0);

    return {
      async stop() {
        isStopped = true;
        for (const timer of timers.values()) clearTimeout(timer);
        await Promise.all(underWay);
      },
    };
  }

  return { findReady, markAccount, followClocks };
}
