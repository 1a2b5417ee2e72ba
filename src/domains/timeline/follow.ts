import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../platform/db/connect/pool.ts';
import { type EventRow, eventsSince, settledFloor } from './stream-queries.ts';

const pollMs = 500;
const mostAtOnce = 500;

/**
 * An account's events as they happen, in lists: an empty one at the start, from when on nothing is missed, and whenever
 * there is nothing new. Each event is given once, about in the order of ids: one whose transaction took long comes after
 * others with later ids. For this the last seconds are read again each time, without what was given already. After an id it
 * begins with the events that follow it; else with the next one. Who was given that id may have been given it by another process: whatever
 * is there by now with an earlier one counts as given, and what appears from now on does not.
 */
export async function* follow(
  db: Db,
  accountId: string,
  { after, signal }: { after?: string | undefined; signal: AbortSignal },
): AsyncGenerator<EventRow[]> {
  const now = await settledFloor(db);
  let floor = after === undefined ? now : smaller(after, now);
  const given = new Set<string>();
  // What is there at the beginning is not new.
  for await (const { uuid } of eventsAbove(db, accountId, floor)) {
    if (after !== undefined && uuid > after) break;
    given.add(uuid);
  }
  yield [];
  while (!signal.aborted) {
    const settled = await settledFloor(db);
    const rows = await eventsSince(db, accountId, floor, given, mostAtOnce);
    for (const { uuid } of rows) given.add(uuid);
    yield rows;
    if (rows.length === mostAtOnce) {
      // More is waiting. What lies well behind need not be remembered to be told apart.
      floor = advance(floor, smaller(settled, rows.at(-1)!.uuid), given);
      continue;
    }
    floor = advance(floor, settled, given);
    await sleep(pollMs, undefined, { signal }).catch(() => {});
  }
}

/** Nothing new appears below `to`: what was given there can be forgotten. */
function advance(floor: string, to: string, given: Set<string>): string {
  if (to <= floor) return floor;
  for (const uuid of given) if (uuid <= to) given.delete(uuid);
  return to;
}

const smaller = (one: string, other: string): string => (one < other ? one : other);

async function* eventsAbove(db: Db, accountId: string, floor: string): AsyncGenerator<EventRow> {
  let position = floor;
  for (;;) {
    const rows = await eventsSince(db, accountId, position, [], mostAtOnce);
    yield* rows;
    if (rows.length < mostAtOnce) return;
    position = rows.at(-1)!.uuid;
  }
}
