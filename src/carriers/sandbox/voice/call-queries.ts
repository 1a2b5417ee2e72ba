import { type Selectable, sql } from 'kysely';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { keysetPage, type PageQuery } from '../../../platform/db/page.ts';
import type { SandboxLegs } from '../../../platform/db/types.ts';
import { phoneDigits } from '../../../platform/phone.ts';

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
