import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Listener } from '../../../platform/db/connect/listener.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import type { Log } from '../../../platform/log.ts';
import { phoneDigits } from '../../../platform/phone.ts';

/** Phones that somebody has in their hand: what happens to their calls is up to that person. */
export interface Holds {
  isHeld(accountId: string, number: string): Promise<boolean>;
  /** Done when nobody holds the phone any more, or when it does not matter any more. */
  letGo(accountId: string, number: string, signal: AbortSignal): Promise<void>;
}

/** Somebody took a phone, or let go of one. */
export const holdsTopic = 'sandbox-holds';
const retryMs = 1000;

export function followHolds({ db, listener, log }: { db: Db; listener: Listener; log: Log }): Holds {
  let changed = new AbortController();
  listener.on(holdsTopic, () => {
    changed.abort();
    changed = new AbortController();
  });
  /** When it cannot be read, nobody is cut off for that. */
  const heldMs = (accountId: string, number: string): Promise<number> =>
    readHeldMs(db, accountId, number).catch((error) => {
      log.warn({ err: error }, 'Who holds a phone of the sandbox could not be read');
      return retryMs;
    });

  return {
    isHeld: async (accountId, number) => (await readHeldMs(db, accountId, number).catch(() => 0)) > 0,
    async letGo(accountId, number, signal) {
      while (!signal.aborted) {
        // A notice that comes while it is read counts, too.
        const wake = AbortSignal.any([signal, changed.signal]);
        const leftMs = await heldMs(accountId, number);
        if (leftMs === 0) return;
        await sleep(Math.ceil(leftMs), undefined, { signal: wake }).catch(() => {});
      }
    },
  };
}

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
