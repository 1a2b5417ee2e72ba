import { sql } from 'kysely';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { phoneDigits } from '../../../platform/phone.ts';

/** Holds a phone for so long, however long it was held before. Answers until when. */
export async function holdPhone(db: Db, accountId: string, number: string, seconds: number): Promise<string> {
  const { rows } = await sql<{ held_until: string }>`
    insert into sandbox_holds (account_id, phone_digits, held_until)
    values (${accountId}, ${phoneDigits(number)}, now() + make_interval(secs => ${seconds}))
    on conflict (account_id, phone_digits) do update set held_until = excluded.held_until
    returning held_until`.execute(db);
  return rows[0]!.held_until;
}

export async function releasePhone(db: Db, accountId: string, number: string): Promise<void> {
  await db
    .deleteFrom('sandbox_holds')
    .where('account_id', '=', accountId)
    .where('phone_digits', '=', phoneDigits(number))
    .execute();
}

/** How much longer a phone is held, in milliseconds; 0: nobody holds it. */
export async function readHeldMs(db: Db, accountId: string, number: string): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    select extract(epoch from held_until - now())::float8 * 1000 as ms from sandbox_holds
    where account_id = ${accountId} and phone_digits = ${phoneDigits(number)}`.execute(db);
  return Math.max(0, rows[0]?.ms ?? 0);
}
