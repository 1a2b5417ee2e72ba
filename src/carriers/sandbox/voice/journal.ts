import type { Db } from '../../../platform/db/connect/pool.ts';
import type { Log } from '../../../platform/log.ts';
import type { SandboxLeg } from './leg.ts';
import { saveLegs } from './queries.ts';
import type { VoiceTime } from './time.ts';

export interface JournalDeps {
  db: Db;
  log: Log;
  time: VoiceTime;
  workerNumber: number;
}

/** Writes down what phones go through: one statement at a time, for all of which there is something new to be told. */
export function makeJournal({ db, log, time, workerNumber }: JournalDeps) {
  const changed = new Set<SandboxLeg>();
  let writing: Promise<void> | undefined;

  const save = (legs: SandboxLeg[]): Promise<void> =>
    saveLegs(
      db,
      workerNumber,
      legs.map((leg) => ({ story: leg.story(), nowMs: time.now(leg.phone.accountId) })),
    );
  /** One leg, of an account that is gone, must not cost the others their stories. */
  const saveEach = async (legs: SandboxLeg[]): Promise<void> => {
    for (const leg of legs) {
      await save([leg]).catch((error) => log.warn({ err: error }, 'The story of a phone in the sandbox is lost'));
    }
  };
  const write = async (): Promise<void> => {
    while (changed.size > 0) {
      const legs = [...changed];
      changed.clear();
      await save(legs).catch(() => saveEach(legs));
    }
    writing = undefined;
  };

  return {
    note(leg: SandboxLeg): void {
      changed.add(leg);
      // What else happens at this moment goes with it.
      writing ??= Promise.resolve().then(write);
    },
    save,
    /** When all is written. */
    settled: (): Promise<void> => writing ?? Promise.resolve(),
  };
}
export type Journal = ReturnType<typeof makeJournal>;
