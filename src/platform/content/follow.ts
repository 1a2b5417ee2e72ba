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

/** Whose content is encrypted. Their number is that of the accounts that ever asked for it. */
export async function learnContentAnyAccount(db: Db, content: LearningContent): Promise<void> {
  const { rows } = await sql<{ account_id: string; encrypt: boolean }>`
    select account_id, encrypt from content_passes`.execute(db);
  content.learnAccounts(new Map(rows.map(({ account_id, encrypt }) => [account_id, encrypt])));
}

/** Learns while the process runs, by a notice or within seconds. */
export function followContent(
  db: Db,
  { content, listener, log }: { content: LearningContent; listener: Listener; log: Log },
): { stop(): Promise<void> } {
  const loop = startLoop(log, 'encrypted content', async () => {
    await learnContentAnyAccount(db, content);
    return lookPauseMs;
  });
  listener.on(contentTopic, () => loop.wake());
  return loop;
}
