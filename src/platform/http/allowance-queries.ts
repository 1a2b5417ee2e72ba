import { sql } from 'kysely';
import { type Db, prepared } from '../db/connect/pool.ts';

/** What a process got of an account's requests in this minute. */
export interface Drawn {
  granted: number;
  /** By all processes, this one included. */
  drawn: number;
  /** Tells one minute from the next. */
  began: number;
  leftMs: number;
}

/** As less is left, processes draw less: what one of them keeps and does not need, the others lack. */
const partOfRest = 16;

/** A minute that lies ahead began before the clock was set back. */
const isOnText = `(a.began <= excluded.began and a.began > excluded.began - interval '1 minute')`;
const grantText = `greatest(0, least($2 - a.drawn, greatest($3, least($4, ($2 - a.drawn) / ${partOfRest}))))`;

const draw = prepared<Drawn>(
  'http.draw-allowance',
  `insert into request_allowances as a (account_id, began, drawn, granted)
  select $1::uuid, clock_timestamp(), part, part from (values (least($2::bigint, greatest($3::bigint, $4::bigint)))) as first (part)
  on conflict (account_id) do update set
    began = case when ${isOnText} then a.began else excluded.began end,
    drawn = case when ${isOnText} then a.drawn + ${grantText} else excluded.drawn end,
    granted = case when ${isOnText} then ${grantText} else excluded.granted end
  returning granted, drawn, extract(epoch from began)::float8 as began,
    extract(epoch from began + interval '1 minute' - clock_timestamp())::float8 * 1000 as "leftMs"`,
);

/** Draws `needed` of `limit` requests a minute, or `ahead` if that is more and much is left. */
export async function drawAllowance(
  db: Db,
  accountId: string,
  { limit, needed, ahead }: { limit: number; needed: number; ahead: number },
): Promise<Drawn> {
  const [drawn] = await draw(db, [accountId, limit, needed, ahead]);
  return drawn!;
}

export async function purgeAllowancesAnyAccount(db: Db): Promise<void> {
  await db.deleteFrom('request_allowances').where('began', '<', sql<string>`now() - interval '1 hour'`).execute();
}
