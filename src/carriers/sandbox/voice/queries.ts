import { type Selectable, sql } from 'kysely';
import { jsonArray, uuidArray } from '../../../platform/db/arrays.ts';
import { type Db, prepared } from '../../../platform/db/connect/pool.ts';
import { perAccount } from '../../../platform/db/distribute/layout.ts';
import { keysetPage, type PageQuery } from '../../../platform/db/page.ts';
import { byRetentionDays, findWithOldAnyAccount } from '../../../platform/db/retention.ts';
import type { SandboxLegs } from '../../../platform/db/types.ts';
import { phoneDigits } from '../../../platform/phone.ts';
import { seeLiving } from '../../../platform/process/living.ts';
import type { LegStory } from './leg.ts';

/** A call that a person is about to make. */
export interface PersonCall {
  accountId: string;
  /** The call's own. */
  uuid: string;
  from: string;
  to: string;
  digits: string;
  /** null: when the person who holds the phone wants to. */
  hangUpAfterMs: number | null;
}

/** Notes a call to be made, and the leg that it will have. */
export async function insertCall(db: Db, call: PersonCall & { at: Date }): Promise<void> {
  const { accountId, uuid, from, to, digits, hangUpAfterMs, at } = call;
  await sql`
    with call as (
      insert into sandbox_calls (account_id, uuid, from_number, to_number, digits, hangup_after_ms)
      values (${accountId}, ${uuid}, ${from}, ${to}, ${digits}, ${hangUpAfterMs})
    )
    insert into sandbox_legs (account_id, uuid, direction, phone, phone_digits, other, state, outcome, heard, pressed, started_at)
    values (${accountId}, ${uuid}, 'INBOUND', ${from}, ${phoneDigits(from)}, ${to}, 'RINGING', '', '[]', '',
      ${at.toISOString()})`.execute(db);
}

/** Takes the calls that people are about to make; each is taken once. */
export async function takeCallsAnyAccount(db: Db): Promise<PersonCall[]> {
  const { rows } = await sql<PersonCall>`
    delete from sandbox_calls returning account_id as "accountId", uuid, from_number as "from", to_number as "to", digits,
      hangup_after_ms as "hangUpAfterMs"`.execute(db);
  return rows;
}

export type LegRow = Selectable<SandboxLegs>;
export type LegState = 'RINGING' | 'TALKING' | 'ENDED';

const legsOf = (db: Db, accountId: string) =>
  db.selectFrom('sandbox_legs').selectAll().where('account_id', '=', accountId);

export const findLeg = (db: Db, accountId: string, uuid: string): Promise<LegRow | undefined> =>
  legsOf(db, accountId).where('uuid', '=', uuid).executeTakeFirst();

export function listLegs(db: Db, accountId: string, query: PageQuery & { number?: string; state?: LegState }) {
  let rows = legsOf(db, accountId);
  if (query.number) rows = rows.where('phone_digits', '=', phoneDigits(query.number));
  // Written out, so that PostgreSQL sees that the index of those under way fits.
  if (query.state) rows = rows.where('state', '=', sql.lit(query.state));
  return keysetPage(db, rows, query);
}

/** A leg that is over stays as it is, and so does one that another process has: a call that was taken up twice has one story. */
const save = prepared(
  'sandbox.legs',
  `insert into sandbox_legs as leg (account_id, uuid, direction, phone, phone_digits, other, state, outcome, hung_up_by, heard,
    hearing, pressed, started_at, answered_at, ended_at, seen_at, carried_by)
  select *, $17::bigint from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
    $9::text[], $10::json[], $11::json[], $12::text[], $13::timestamptz[], $14::timestamptz[], $15::timestamptz[],
    $16::timestamptz[])
  on conflict (account_id, uuid) do update set state = excluded.state, outcome = excluded.outcome,
    hung_up_by = excluded.hung_up_by, heard = excluded.heard, hearing = excluded.hearing, pressed = excluded.pressed,
    started_at = excluded.started_at, answered_at = excluded.answered_at, ended_at = excluded.ended_at,
    seen_at = excluded.seen_at, carried_by = excluded.carried_by, touched_at = excluded.touched_at
  where leg.state <> 'ENDED' and (leg.carried_by is null or leg.carried_by = excluded.carried_by)`,
);

/** Writes down what legs of this process have gone through so far. */
export async function saveLegs(
  db: Db,
  workerNumber: number,
  legs: { story: LegStory; nowMs: number }[],
): Promise<void> {
  const column = <T>(of: (story: LegStory) => T): T[] => legs.map(({ story }) => of(story));
  await save(db, [
    uuidArray(column(({ accountId }) => accountId)),
    uuidArray(column(({ uuid }) => uuid)),
    column(({ direction }) => direction),
    column(({ phone }) => phone),
    column(({ phone }) => phoneDigits(phone)),
    column(({ other }) => other),
    column(stateOf),
    column(outcomeOf),
    column(({ end }) => end?.by ?? null),
    jsonArray(column(({ heard }) => heard)),
    jsonArray(column(({ hearing }) => hearing && { sound: hearing.sound, since: timestamp(hearing.sinceMs) })),
    column(({ pressed }) => pressed),
    column(({ startedMs }) => moment(startedMs)),
    column(({ answeredMs }) => moment(answeredMs)),
    column(({ end }) => moment(end?.atMs ?? null)),
    legs.map(({ nowMs }) => moment(nowMs)),
    workerNumber,
  ]);
}

const stateOf = ({ end, answeredMs }: LegStory) => (end ? 'ENDED' : answeredMs === null ? 'RINGING' : 'TALKING');

const outcomeOf = ({ end, answeredMs }: LegStory): string => {
  if (!end) return '';
  return answeredMs === null ? `not answered (${end.code})` : 'answered';
};

const moment = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
const timestamp = (ms: number): string => new Date(ms).toISOString().replace('Z', '000Z');

/**
 * Closes legs whose process is no more (its session lock is gone, and it has not said anything for two turns), that even a
 * living one has forgotten, and those that nobody took up within a minute. Answers how many there were.
 */
export async function closeLostAnyAccount(db: Db): Promise<number> {
  const living = await seeLiving(db);
  const isLost = sql`state <> 'ENDED' and case when carried_by is null then touched_at < now() - interval '1 minute'
    when carried_by = any (${living.workers}) then touched_at < now() - interval '1 minute'
    else ${living.isOver('touched_at', '12 seconds')} end`;
  const closed = await perAccount(db, sql`select account_id from sandbox_legs where ${isLost}`, async (ofAccount) => {
    const { rows } = await sql`
      with lost as materialized (
        select account_id, uuid from sandbox_legs where ${isLost} and ${ofAccount('account_id')} for update skip locked
      ), undone as (
        delete from sandbox_acts as act using lost
        where act.account_id = lost.account_id and act.leg = lost.uuid and ${ofAccount('act.account_id')}
      )
      update sandbox_legs as leg set state = 'ENDED', hearing = null, hung_up_by = 'network',
        outcome = case when answered_at is null then 'not answered (500)' else 'answered' end,
        ended_at = greatest(seen_at, answered_at, started_at)
      from lost where leg.account_id = lost.account_id and leg.uuid = lost.uuid and ${ofAccount('leg.account_id')}
      returning 1`.execute(db);
    return rows;
  });
  return closed.length;
}

/** Removes what accounts no longer keep of their phones' calls, and what was held long ago. */
export async function purgeLegsAnyAccount(db: Db): Promise<void> {
  const ended = { name: 'sandbox_legs', key: 'uuid', condition: sql`state = 'ENDED'`, isWhole: true };
  for (const { uuid: accountId, before } of await findWithOldAnyAccount(db, ended, byRetentionDays)) {
    await sql`
      delete from sandbox_legs where account_id = ${accountId} and state = 'ENDED' and uuid < ${before}`.execute(db);
  }
  await sql`delete from sandbox_holds where held_until < now() - interval '1 day'`.execute(db);
}
