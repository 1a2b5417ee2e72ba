import { setTimeout as sleep } from 'node:timers/promises';
import type { Selectable } from 'kysely';
import { uuidArray } from '../../platform/db/arrays.ts';
import { type Db, prepared } from '../../platform/db/connect/pool.ts';
import type { Events } from '../../platform/db/types.ts';
import { presentEvent, presentRedacted } from './routes.ts';

export type EventRow = Pick<Selectable<Events>, 'uuid' | 'kind' | 'subject_type' | 'subject' | 'data' | 'at'>;

/**
 * Ids are made before their transaction commits, and so become visible out of their order. What is older than this has
 * either become visible or never will.
 */
const settledSeconds = 5;

const settled = prepared<{ floor: string }>(
  'timeline.settled',
  `select uuid_floor(now() - interval '${settledSeconds} seconds') as floor`,
);

/** The id below which nothing new appears any more. */
async function settledFloor(db: Db): Promise<string> {
  return (await settled(db, []))[0]!.floor;
}

const since = prepared<EventRow>(
  'timeline.since',
  `select uuid, kind, subject_type, subject, data, at from timeline
  where account_id = $1 and uuid > $2 and uuid <> all ($3::uuid[]) order by uuid limit $4`,
);

/** Events after an id, in the order of ids, without those that are known already. */
const eventsSince = (db: Db, accountId: string, after: string, known: Iterable<string>, limit: number) =>
  since(db, [accountId, after, uuidArray([...known]), limit]);

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

export interface FrameOptions {
  after: string | undefined;
  signal: AbortSignal;
  /** Asked now and then: a token may be revoked while its stream is open. */
  mayRead(): Promise<boolean>;
  /** Whether this event is for whoever listens. Left out: all are. */
  isMeant?(row: EventRow): boolean;
  /** Called when nothing was taken for so long that nobody can be there. */
  cutOff(): void;
  /** Whether they come without content, asked for each. */
  isRedacted?(): boolean;
  heartbeatMs?: number;
  patienceMs?: number;
}

/**
 * Events as the text of a stream (WHATWG HTML, 9.2). They are read no faster than the other side takes them, so a slow one
 * costs no memory; one that takes nothing at all for `patienceMs` is cut off.
 */
export async function* frames(db: Db, accountId: string, options: FrameOptions): AsyncGenerator<string> {
  const {
    after,
    signal,
    isMeant = () => true,
    isRedacted = () => false,
    heartbeatMs = 15_000,
    patienceMs = 30_000,
  } = options;
  const events = follow(db, accountId, { after, signal });
  await events.next();
  // The other side learns that nothing is missed from now on, and how soon to come back when it breaks off.
  yield 'retry: 2000\n\n';
  let spokenAt = performance.now();
  let askedAt = spokenAt;
  for await (const all of events) {
    const rows = all.filter(isMeant);
    const now = performance.now();
    if (now - askedAt >= heartbeatMs) {
      if (!(await options.mayRead())) return;
      askedAt = now;
    }
    if (rows.length === 0 && now - spokenAt < heartbeatMs) continue;
    const patience = setTimeout(options.cutOff, patienceMs).unref();
    try {
      yield rows.map((row) => frameOf(row, isRedacted())).join('') || ': nothing new\n\n';
    } finally {
      clearTimeout(patience);
    }
    spokenAt = performance.now();
  }
}

const frameOf = (row: EventRow, isRedacted: boolean): string =>
  `event: ${row.kind}\nid: ${row.uuid}\ndata: ${JSON.stringify((isRedacted ? presentRedacted : presentEvent)(row))}\n\n`;
