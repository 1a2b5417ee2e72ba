import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { longestTryMs } from '../../platform/work/retry.ts';
import type { StatesTable } from './outbox.ts';

/** Nobody signals it: when a clock was set, everything that listens is woken. */
const jumpTopic = 'clock';

export function makeJumps({ states: table }: StatesTable) {
  const states = sql.table(table);
  /**
   * What a carrier put off is given up after four hours. Where that moment is further away, the clock was set back since, and the next
   * attempt is not to wait until it is there again: it is due at once. What a client scheduled has no such moment, and keeps its time.
   */
  function hastenAfterJumps({ db, listener, log }: Deps): void {
    const hasten = () =>
      sql`update ${states} set due_at = now(), ready = true
        where status = 'QUEUED' and claimed_by is null and due_at > now() and due_at < 'infinity'
          and give_up_at > now() + make_interval(secs => ${longestTryMs / 1000 + 60})`.execute(db);
    listener.on(jumpTopic, () => {
      hasten().catch((error) =>
        log.warn({ error: (error as Error).message }, 'What is due could not be looked at again'),
      );
    });
  }
  return { hastenAfterJumps };
}
