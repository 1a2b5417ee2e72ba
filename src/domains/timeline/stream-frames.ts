import type { Db } from '../../platform/db/connect/pool.ts';
import { follow } from './follow.ts';
import { presentEvent, presentRedacted } from './schemas.ts';
import type { EventRow } from './stream-queries.ts';

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
