import { type Selectable, sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import { notify } from '../../platform/db/listener.ts';
import type { Db } from '../../platform/db/pool.ts';
import type { SandboxClocks } from '../../platform/db/types.ts';

/** Where an account's sandbox time stands, and how fast it runs. */
export interface ClockSetting {
  realBaseMs: number;
  virtualBaseMs: number;
  speed: number;
}

export const clockTopic = 'sandbox-clock';

export const virtualNow = (setting: ClockSetting | undefined, realNowMs: number): Date =>
  new Date(setting ? setting.virtualBaseMs + (realNowMs - setting.realBaseMs) * setting.speed : realNowMs);

/** The clocks of the accounts that moved theirs; all others live in real time. */
export async function readClocksAnyAccount(db: Db): Promise<Map<string, ClockSetting>> {
  const rows = await db.selectFrom('sandbox_clocks').selectAll().execute();
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

/** Where an account's sandbox time stands, and how fast it runs. */
export async function readClock(db: Db, accountId: string): Promise<{ now: string; speed: number }> {
  const { rows } = await sql<{ now: string; speed: number }>`
    select coalesce(clock.virtual_base + (now() - clock.real_base) * clock.speed, now()) as now,
      coalesce(clock.speed, 1) as speed
    from (values (${accountId}::uuid)) as wanted (account_id) left join sandbox_clocks as clock using (account_id)`.execute(
    db,
  );
  return rows[0]!;
}

/** Steps an account's sandbox time forward, or changes how fast it runs from here on. Returns where it stands now. */
export async function moveClock(db: Db, accountId: string, move: { advanceSeconds?: number; speed?: number }) {
  const { rows } = await sql<{ now: string; speed: number }>`
    insert into sandbox_clocks as clock (account_id, real_base, virtual_base, speed)
    values (${accountId}, now(), now() + make_interval(secs => ${move.advanceSeconds ?? 0}), ${move.speed ?? 1})
    on conflict (account_id) do update set
      real_base = now(),
      virtual_base = clock.virtual_base + (now() - clock.real_base) * clock.speed
        + make_interval(secs => ${move.advanceSeconds ?? 0}),
      speed = coalesce(${move.speed ?? null}::float8, clock.speed)
    returning virtual_base as now, speed`.execute(db);
  await notify(db, clockTopic);
  return rows[0]!;
}

/** A clock for one account, following the settings as they change. */
export const clockOf = (settings: () => Map<string, ClockSetting>, accountId: string, real: Clock): Clock => ({
  now: () => virtualNow(settings().get(accountId), real.now().getTime()),
});
