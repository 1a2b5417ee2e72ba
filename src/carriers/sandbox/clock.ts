import { type RawBuilder, type Selectable, sql } from 'kysely';
import { type Listener, notify } from '../../platform/db/connect/listener.ts';
import { type Db, inTransaction } from '../../platform/db/connect/pool.ts';
import type { SandboxClocks } from '../../platform/db/types.ts';
import type { Log } from '../../platform/log.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { clockTopic } from '../ports/carriers.ts';

/** Where an account's sandbox time stands, and how fast it runs. */
interface ClockSetting {
  realBaseMs: number;
  virtualBaseMs: number;
  speed: number;
}

/** Ten years. Moments far beyond can be neither printed nor stored, and everybody's are printed and stored together. */
export const furthestAheadSeconds = 10 * 366 * 86_400;

/** However fast it runs, it does not run ahead any further. */
export function virtualNow(setting: ClockSetting | undefined, realNowMs: number): Date {
  if (!setting) return new Date(realNowMs);
  const virtualMs = setting.virtualBaseMs + (realNowMs - setting.realBaseMs) * setting.speed;
  const latestMs = realNowMs + furthestAheadSeconds * 1000;
  return new Date(virtualMs <= latestMs ? virtualMs : latestMs);
}

/**
 * The same in SQL, of the table as `clock`. In seconds, because PostgreSQL refuses sums that end in a far moment; and with a rounded
 * speed, because it refuses products that are too small to be told from nothing.
 */
export const virtualAt = (moment: RawBuilder<unknown>) => sql<string>`to_timestamp(least(
  extract(epoch from clock.virtual_base)::float8
    + extract(epoch from ${moment} - clock.real_base)::float8 * round(clock.speed::numeric, 9)::float8,
  extract(epoch from ${moment})::float8 + ${sql.lit(furthestAheadSeconds)}))`;
const virtualNowText = virtualAt(sql`now()`);

/** No later moment can be printed. */
const lastSeconds = Date.UTC(9999, 11, 31) / 1000;

/**
 * SQL text of the other way round: when in real time a moment of the account's time comes, a little early at most, until its clock is
 * moved. While that stands still it does not come.
 */
export const realAtText = (moment: string): string => `to_timestamp(least(${lastSeconds}, greatest(
  extract(epoch from ${moment})::float8 - ${furthestAheadSeconds},
  coalesce(extract(epoch from clock.real_base)::float8 - 0.001
    + extract(epoch from ${moment} - clock.virtual_base)::float8 / nullif(round(clock.speed::numeric, 9)::float8, 0),
    ${lastSeconds}))))`;

/** The clocks of the accounts that moved theirs, or of some of them; all others live in real time. */
export async function readClocksAnyAccount(db: Db, accountIds?: string[]): Promise<Map<string, ClockSetting>> {
  const clocks = db.selectFrom('sandbox_clocks').selectAll();
  const rows = await (accountIds
    ? clocks.where('account_id', '=', sql<string>`any(${sql.val(accountIds)}::uuid[])`)
    : clocks
  ).execute();
  return new Map(rows.map((row) => [row.account_id, settingOf(row)]));
}

const settingOf = (row: Selectable<SandboxClocks>): ClockSetting => ({
  realBaseMs: Date.parse(row.real_base),
  virtualBaseMs: Date.parse(row.virtual_base),
  speed: row.speed,
});

/** What time it is in an account's sandbox, read anew: a process that only answers requests does not follow the clocks. */
export async function readNow(db: Db, accountId: string, real: Clock): Promise<Date> {
  const row = await db.selectFrom('sandbox_clocks').selectAll().where('account_id', '=', accountId).executeTakeFirst();
  return virtualNow(row && settingOf(row), real.now().getTime());
}

export interface ClockReading {
  now: string;
  speed: number;
  /** Negative: behind the real time. */
  ahead_seconds: number;
}

/** Where an account's sandbox time stands, and how fast it runs; "least" passes over what is null, so those without a clock are told apart. */
export async function readClock(db: Db, accountId: string): Promise<ClockReading> {
  const { rows } = await sql<ClockReading>`
    select case when clock.speed is null then now() else ${virtualNowText} end as now,
      coalesce(clock.speed, 1) as speed,
      case when clock.speed is null then 0 else extract(epoch from ${virtualNowText} - now())::float8 end as ahead_seconds
    from (values (${accountId}::uuid)) as wanted (account_id) left join sandbox_clocks as clock using (account_id)`.execute(
    db,
  );
  return rows[0]!;
}

/**
 * Steps an account's sandbox time forward, or changes how fast it runs from here on. Returns where it stands now; undefined: it
 * would be too far ahead, and stays as it is.
 */
export async function moveClock(db: Db, accountId: string, move: { advanceSeconds?: number; speed?: number }) {
  const advance = sql`make_interval(secs => ${move.advanceSeconds ?? 0})`;
  return inTransaction(db, async (db) => {
    await sql`
      insert into sandbox_clocks (account_id, real_base, virtual_base, speed) values (${accountId}, now(), now(), 1)
      on conflict (account_id) do nothing`.execute(db);
    const { rows } = await sql<ClockReading>`
      with moved as materialized (
        select now() as real_base, ${virtualNowText} + ${advance} as virtual_base from sandbox_clocks as clock
        where account_id = ${accountId}
          and ${virtualNowText} + ${advance} <= now() + make_interval(secs => ${furthestAheadSeconds})
        for no key update
      )
      update sandbox_clocks as clock set real_base = moved.real_base, virtual_base = moved.virtual_base,
        speed = coalesce(${move.speed ?? null}::float8, clock.speed)
      from moved where clock.account_id = ${accountId}
      returning clock.virtual_base as now, clock.speed,
        extract(epoch from clock.virtual_base - clock.real_base)::float8 as ahead_seconds`.execute(db);
    await settlePending(db, accountId);
    await notify(db, clockTopic, accountId);
    return rows[0];
  });
}

/** Notes when in real time the phones of an account have something to do, as its clock stands now. Answers whether it was another time. */
async function settlePending(db: Db, accountId: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    with moved as materialized (
      select message.message, message.id, message.real_due_at, ${sql.raw(realAtText('message.due_at'))} as real_at
      from sandbox_messages as message join sandbox_clocks as clock on clock.account_id = message.account_id
      where message.account_id = ${accountId} and clock.account_id = ${accountId} and message.due_at is not null
    )
    update sandbox_messages as message set real_due_at = moved.real_at from moved
    where message.account_id = ${accountId} and message.message = moved.message and message.id = moved.id
      and message.due_at is not null and moved.real_due_at <> moved.real_at`.execute(db);
  return numAffectedRows > 0n;
}

/**
 * Sets an account's sandbox time back to the real time. What phones have still to do moves with it, so that a receipt that was due in a
 * second still is; what others keep for a moment by that time waits until it comes. undefined: calls are under way, and the time stays as
 * it is, because they would end before they began.
 */
export async function resetClock(db: Db, accountId: string): Promise<ClockReading | undefined> {
  return inTransaction(db, async (db) => {
    const { rows } = await sql<{ ahead: number }>`
      select extract(epoch from ${virtualNowText} - now())::float8 as ahead from sandbox_clocks as clock
      where account_id = ${accountId} for update`.execute(db);
    if (!rows[0]) return readClock(db, accountId);
    const calls = await sql`
      select 1 from sandbox_legs where account_id = ${accountId} and state <> 'ENDED' limit 1`.execute(db);
    if (calls.rows.length > 0) return undefined;
    await sql`
      with pending as materialized (
        select message, id, due_at - make_interval(secs => ${rows[0].ahead}) as due_at from sandbox_messages
        where account_id = ${accountId} and due_at is not null for update
      )
      update sandbox_messages as message set due_at = pending.due_at, real_due_at = pending.due_at from pending
      where message.account_id = ${accountId} and message.message = pending.message and message.id = pending.id`.execute(
      db,
    );
    await db.deleteFrom('sandbox_clocks').where('account_id', '=', accountId).execute();
    await notify(db, clockTopic, accountId);
    return readClock(db, accountId);
  });
}

/** How much further an account's sandbox time can be stepped. */
export async function secondsLeft(db: Db, accountId: string, real: Clock): Promise<number> {
  const aheadMs = (await readNow(db, accountId, real)).getTime() - real.now().getTime();
  return Math.max(0, Math.floor(furthestAheadSeconds - aheadMs / 1000));
}

/** A clock for one account, following the settings as they change. */
export const clockOf = (
  settings: { get(accountId: string): ClockSetting | undefined },
  accountId: string,
  real: Clock,
): Clock => ({
  now: () => virtualNow(settings.get(accountId), real.now().getTime()),
});

/** The clocks of the accounts that moved theirs, as they were last read. */
export interface Clocks {
  get(accountId: string): ClockSetting | undefined;
  /** No clock is further ahead of the real time than this. */
  aheadMs(): number;
  /** Reads all of them. */
  read(): Promise<void>;
  /** Reads those of the accounts: whatever was done before the call is known after it. */
  catchUp(accountIds: Iterable<string>): Promise<void>;
}

const settleAgainMs = [0, 2_000];

interface ClocksDeps {
  db: Db;
  listener: Listener;
  clock: Clock;
  log: Log;
  onMoved(): void;
}

/** Follows the clocks: a notice names the account whose clock moved, and only that one is read. Without a name all are. */
export function followClocks({ db, listener, clock, log, onMoved }: ClocksDeps): Clocks {
  const settings = new Map<string, ClockSetting>();
  const moved = new Set<string>();
  let aheadMs = 0;
  let isBehind = false;
  let last: Promise<void> = Promise.resolve();

  /** What moved while the last read was under way may have been missed by it. One read at a time: an older one never comes last. */
  const readMoved = async (): Promise<void> => {
    if (!isBehind && moved.size === 0) return;
    const accountIds = isBehind ? undefined : [...moved];
    isBehind = false;
    moved.clear();
    try {
      take(await readClocksAnyAccount(db, accountIds), accountIds);
    } catch (error) {
      isBehind = true;
      throw error;
    }
    onMoved();
  };

  const take = (found: Map<string, ClockSetting>, accountIds: string[] | undefined): void => {
    if (accountIds === undefined) {
      settings.clear();
      aheadMs = 0;
    }
    // One that is gone was set back to the real time.
    for (const accountId of accountIds ?? []) settings.delete(accountId);
    const nowMs = clock.now().getTime();
    for (const [accountId, setting] of found) {
      settings.set(accountId, setting);
      aheadMs = Math.max(aheadMs, aheadOf(setting, nowMs));
    }
  };

  const next = (): Promise<void> => {
    last = last.catch(() => {}).then(readMoved);
    return last;
  };
  const read = (): Promise<void> => {
    isBehind = true;
    return next();
  };
  const catchUp = (accountIds: Iterable<string>): Promise<void> => {
    for (const accountId of accountIds) moved.add(accountId);
    return next();
  };
  const refresh = (accountId: string): void => {
    if (accountId === '') isBehind = true;
    else moved.add(accountId);
    next().catch((error) => log.warn({ err: error }, 'The sandbox clocks could not be read'));
  };
  /** Whoever was taking something while the clock was moved may not have seen it. */
  const settleAgain = (accountId: string): void => {
    for (const ms of settleAgainMs) {
      const settle = async () => (await settlePending(db, accountId)) && onMoved();
      setTimeout(() => {
        settle().catch((error) => log.warn({ err: error }, 'What a moved sandbox clock made due could not be noted'));
      }, ms).unref();
    }
  };
  listener.on(clockTopic, (accountId) => {
    refresh(accountId);
    if (accountId !== '') settleAgain(accountId);
  });
  refresh('');
  return { get: (accountId) => settings.get(accountId), aheadMs: () => aheadMs, read, catchUp };
}

/** How far ahead a clock is, and will be until it is moved again. */
const aheadOf = (setting: ClockSetting, nowMs: number): number =>
  setting.speed > 1 ? furthestAheadSeconds * 1000 : Math.max(0, virtualNow(setting, nowMs).getTime() - nowMs);
