import { sql } from 'kysely';
import type { Listener } from '../db/connect/listener.ts';
import type { Db } from '../db/connect/pool.ts';
import type { Log } from '../log.ts';
import { startLoop } from '../work/loop.ts';
import type { LearningContent } from './content.ts';

/** Tells processes that an account turned encryption on or off. */
export const contentTopic = 'content';

/** A notice may be lost: so often every process looks by itself. */
const lookPauseMs = 5_000;
/** After so long every process knows that an account turned it on or off. */
export const learnSeconds = 10;

/** Longer than whoever turns it takes to commit that, and than looks take that fail. */
const lookBackMs = 5 * 60_000;
/** All are read anew every now and then: whatever became of a clock or of a notice, nothing stays unknown. */
const readAllMs = 3_600_000;

interface Turned {
  account_id: string;
  encrypt: boolean;
}

const readAll = async (db: Db): Promise<Turned[]> =>
  (await sql<Turned>`select account_id, encrypt from content_passes`.execute(db)).rows;

/** Those who turned it on or off lately: next to nobody, however many ever did. */
export const readTurnedAnyAccount = async (db: Db): Promise<Turned[]> =>
  (
    await sql<Turned>`
      select account_id, encrypt from content_passes
      where turned > now() - make_interval(secs => ${sql.lit(lookBackMs / 1000)})`.execute(db)
  ).rows;

const byAccount = (rows: Turned[]): Map<string, boolean> =>
  new Map(rows.map(({ account_id, encrypt }) => [account_id, encrypt]));

/** Whose content is encrypted. Their number is that of the accounts that ever asked for it. */
export async function learnContentAnyAccount(db: Db, content: LearningContent): Promise<void> {
  content.learnAccounts(byAccount(await readAll(db)));
}

/** Learns while the process runs, by a notice or within seconds. */
export function followContent(
  db: Db,
  { content, listener, log }: { content: LearningContent; listener: Listener; log: Log },
): { stop(): Promise<void> } {
  let known = new Map<string, boolean>();
  let allMs = Number.NEGATIVE_INFINITY;
  let lastMs = Number.NEGATIVE_INFINITY;
  const loop = startLoop(log, 'encrypted content', async () => {
    const nowMs = performance.now();
    if (nowMs - lastMs > lookBackMs / 2 || nowMs - allMs > readAllMs) {
      known = byAccount(await readAll(db));
      content.learnAccounts(known);
      allMs = nowMs;
    } else {
      for (const { account_id, encrypt } of await readTurnedAnyAccount(db)) known.set(account_id, encrypt);
    }
    lastMs = nowMs;
    return lookPauseMs;
  });
  // After a gap in which notices may have been missed, too.
  listener.on(contentTopic, () => {
    allMs = Number.NEGATIVE_INFINITY;
    loop.wake();
  });
  return loop;
}
