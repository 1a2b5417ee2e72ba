import { sql } from 'kysely';
import { elapsedText } from '../../../platform/db/clock.ts';
import { type Db, isDistributed, prepared } from '../../../platform/db/connect/pool.ts';
import type { Claimed, Sender } from './queue.ts';

/**
 * How often one person may be written to, counted over all workers: a bucket per sender and person, which takes `burst` messages
 * and refills by one every `everyMs`. A batch may overdraw it by as much as it asks for; whatever is beyond the bucket waits.
 */

const takeText = (burst: string, everyMs: string): string => `
  insert into pair_rates as pair (account_id, chatapp_account, digits, tokens, at)
  select $1, $2, wanted.digits, ${burst} - wanted.count, clock_timestamp()
  from unnest($3::text[], $4::int[]) as wanted (digits, count)
  on conflict (account_id, chatapp_account, digits) do update set
    tokens = least(${burst}, pair.tokens + ${elapsedText('pair.at', 'excluded.at')} * 1000 / ${everyMs})
      - (${burst} - excluded.tokens),
    at = excluded.at
  returning digits, tokens`;
interface Pair {
  digits: string;
  tokens: number;
}
const take = prepared<Pair>('messages.take-pairs', takeText('$5::float8', '$6::float8'));

/**
 * Citus passes no parameters to `on conflict`, so the numbers are part of the text. There are as many such statements as carriers
 * have rates.
 */
function takeDistributed(burst: number, everyMs: number): ReturnType<typeof prepared<Pair>> {
  const name = `messages.take-pairs-${burst}-${everyMs}`;
  const known = takes.get(name) ?? prepared<Pair>(name, takeText(`${burst}::float8`, `${everyMs}::float8`));
  takes.set(name, known);
  return known;
}
const takes = new Map<string, ReturnType<typeof prepared<Pair>>>();

const giveBack = prepared(
  'messages.give-back-pairs',
  `update pair_rates set tokens = tokens + over.count
  from unnest($3::text[], $4::int[]) as over (digits, count)
  where pair_rates.account_id = $1 and pair_rates.chatapp_account = $2 and pair_rates.digits = over.digits`,
);

/** Those of a batch that must wait, each with the milliseconds until its turn. */
export async function applyPairRate(
  db: Db,
  sender: Sender,
  messages: Claimed[],
  { everyMs, burst }: { everyMs: number; burst: number },
): Promise<Map<Claimed, number>> {
  const people = Map.groupBy(messages, (message) => message.to_digits);
  const sorted = [...people].sort(([a], [b]) => (a < b ? -1 : 1));
  const wanted = [
    sender.account_id,
    sender.uuid,
    sorted.map(([digits]) => digits),
    sorted.map(([, some]) => some.length),
  ];
  const rows = isDistributed(db)
    ? await takeDistributed(burst, everyMs)(db, wanted)
    : await take(db, [...wanted, burst, everyMs]);
  const waiting = new Map<Claimed, number>();
  const over: { digits: string; count: number }[] = [];
  for (const { digits, tokens } of rows) {
    const some = people.get(digits)!;
    const count = Math.min(some.length, Math.ceil(-tokens));
    if (count <= 0) continue;
    over.push({ digits, count });
    for (const [place, message] of some.slice(-count).entries()) waiting.set(message, everyMs * (place + 1));
  }
  if (over.length > 0) {
    await giveBack(db, [
      sender.account_id,
      sender.uuid,
      over.map(({ digits }) => digits),
      over.map(({ count }) => count),
    ]);
  }
  return waiting;
}

/** Removes rows of people who were not written to for an hour: their buckets are full again. */
export async function purgePairRatesAnyAccount(db: Db): Promise<void> {
  await db
    .deleteFrom('pair_rates')
    .where(sql<boolean>`at not between now() - interval '1 hour' and now() + interval '1 hour'`)
    .execute();
}
