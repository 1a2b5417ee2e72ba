import { type Selectable, sql } from 'kysely';
import { keysetPage, type PageQuery } from '../../platform/db/page.ts';
import type { Db } from '../../platform/db/pool.ts';
import type { SandboxLegs } from '../../platform/db/types.ts';
import { phoneDigits } from '../../platform/phone.ts';
import type { LegStory } from './voice-leg.ts';

/** A call that a person is about to make. */
export interface PersonCall {
  accountId: string;
  /** The call's own. */
  uuid: string;
  from: string;
  to: string;
  digits: string;
  hangUpAfterMs: number;
}

export async function insertCall(db: Db, { accountId, uuid, from, to, digits, hangUpAfterMs }: PersonCall) {
  await db
    .insertInto('sandbox_calls')
    .values({
      account_id: accountId,
      uuid,
      from_number: from,
      to_number: to,
      digits,
      hangup_after_ms: hangUpAfterMs,
    })
    .execute();
}

/** Takes the calls that people are about to make; each is taken once. */
export async function takeCallsAnyAccount(db: Db): Promise<PersonCall[]> {
  const { rows } = await sql<PersonCall>`
    delete from sandbox_calls returning account_id as "accountId", uuid, from_number as "from", to_number as "to", digits,
      hangup_after_ms as "hangUpAfterMs"`.execute(db);
  return rows;
}

export type LegRow = Selectable<SandboxLegs>;

export async function insertLeg(db: Db, story: LegStory): Promise<void> {
  await db
    .insertInto('sandbox_legs')
    .values({
      account_id: story.accountId,
      uuid: story.uuid,
      direction: story.direction,
      phone: story.phone,
      phone_digits: phoneDigits(story.phone),
      other: story.other,
      outcome: story.answeredMs === null ? `not answered (${story.end.code})` : 'answered',
      hung_up_by: story.end.by,
      heard: JSON.stringify(story.heard),
      pressed: story.pressed,
      started_at: moment(story.startedMs),
      answered_at: story.answeredMs === null ? null : moment(story.answeredMs),
      ended_at: moment(story.endedMs),
    })
    // A call that was taken up twice has one story.
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const moment = (ms: number): string => new Date(ms).toISOString();

export function listLegs(db: Db, accountId: string, query: PageQuery & { number?: string }) {
  let rows = db.selectFrom('sandbox_legs').selectAll().where('account_id', '=', accountId);
  if (query.number) rows = rows.where('phone_digits', '=', phoneDigits(query.number));
  return keysetPage(db, rows, query);
}
