import { sql } from 'kysely';
import type { Log } from '../../log.ts';
import { longestTryMs } from '../../work/retry.ts';
import type { Listener } from './listener.ts';
import type { Db } from './pool.ts';

const clockTopic = 'clock';

/**
 * What a carrier put off is given up after four hours. Where that moment is further away, the clock was set back since, and the next
 * attempt is not to wait until it is there again: it is due at once. What a client scheduled has no such moment, and keeps its time.
 */
export function hastenAfterJumps(
  { db, listener, log }: { db: Db; listener: Listener; log: Log },
  table: 'message_states' | 'sms_states',
): void {
  const hasten = () =>
    sql`update ${sql.table(table)} set due_at = now(), ready = true
      where status = 'QUEUED' and claimed_by is null and due_at > now() and due_at < 'infinity'
        and give_up_at > now() + make_interval(secs => ${longestTryMs / 1000 + 60})`.execute(db);
  listener.on(clockTopic, () => {
    hasten().catch((error) =>
      log.warn({ error: (error as Error).message }, 'What is due could not be looked at again'),
    );
  });
}
