import type { Listener } from '../../../platform/db/connect/listener.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import type { Log } from '../../../platform/log.ts';
import { startLoop } from '../../../platform/work/loop.ts';
import type { LegEnd } from '../../ports/voice.ts';
import type { Clocks } from '../clock.ts';
import type { Journal } from '../voice/journal.ts';
import type { SandboxLeg } from '../voice/leg.ts';
import { closeLostAnyAccount } from '../voice/queries.ts';
import { type Act, actsTopic, deleteActsAnyAccount, findActsAnyAccount } from './act.ts';

export interface HandsDeps {
  db: Db;
  listener: Listener;
  log: Log;
  journal: Journal;
  clocks: Pick<Clocks, 'catchUp'>;
  /** Those of this process. */
  legs: ReadonlyMap<string, SandboxLeg>;
}

const lookPauseMs = 1000;
const touchMs = 5000;
export const ordinaryEnd: LegEnd = { by: 'peer', code: 200, description: '' };
const declined: LegEnd = { by: 'peer', code: 603, description: 'Decline' };

/**
 * The hands of the people whose phones this process has: does with the legs what people do, says every few seconds that it still
 * has them, and closes what a dead process left.
 */
export function startHands({ db, listener, log, journal, clocks, legs }: HandsDeps) {
  let touchAt = 0;
  const actAll = async (): Promise<void> => {
    const acts = await findActsAnyAccount(db, listener.workerNumber);
    if (acts.length === 0) return;
    // Who moves the clock and then presses a key presses it at the later time.
    await clocks.catchUp(new Set(acts.map(({ accountId }) => accountId)));
    const touched = new Set<SandboxLeg>();
    for (const one of acts) {
      const leg = legs.get(one.leg);
      if (!leg) continue;
      touched.add(leg);
      perform(leg, one);
    }
    // Whoever waits for an act to be done reads the leg next.
    if (touched.size > 0) await journal.save([...touched]);
    await deleteActsAnyAccount(db, acts);
  };
  const look = async (): Promise<number> => {
    if (legs.size > 0) await actAll();
    if (performance.now() >= touchAt) {
      touchAt = performance.now() + touchMs;
      for (const leg of legs.values()) journal.note(leg);
      await closeLostAnyAccount(db);
    }
    return lookPauseMs;
  };
  const watch = listener.poll.watch("exists (select 1 from sandbox_legs where state <> 'ENDED')");
  const loop = startLoop(log, 'sandbox hands', look, { watch });
  listener.on(actsTopic, () => loop.wake());
  return loop;
}

/** What is not possible any more is not done. */
function perform(leg: SandboxLeg, { act, keys }: Act): void {
  const rings = leg.phone.direction === 'OUTBOUND' && !leg.picked.aborted && !leg.over.aborted;
  if (act === 'answer' && rings) leg.pickUp();
  if (act === 'decline' && rings) leg.end(declined);
  if (act === 'hangup') leg.end(ordinaryEnd);
  if (act === 'keys' && leg.picked.aborted) for (const key of keys) leg.press(key);
}
