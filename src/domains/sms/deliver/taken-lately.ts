import type { SmsOutcome, TakenPart } from '../../../carriers/ports/sms.ts';
import type { Deps } from '../../../deps.ts';
import { onTakeover } from '../../../platform/db/connect/takeover.ts';
import { keepNewest } from '../../../platform/work/newest.ts';
import type { Claimed } from './queue.ts';

interface Taken {
  uuid: string;
  parts: TakenPart[];
}

/** Which SMS carriers took whole, and under which ids: a failover may lose what was stored of it. */
interface TakenLately {
  note(claimed: readonly Claimed[], outcomes: readonly SmsOutcome[]): void;
  find(uuids: readonly string[]): Map<string, TakenPart[]>;
}

/** As long as claims are kept (`outbox/reclaim.ts`). */
const keptMs = 30_000;
/** Of each such span: more than a process hands over. */
const most = 100_000;
/** Claims are recovered some time after a standby has taken over: until then nothing is forgotten. */
const recoveryMs = 300_000;

const placeOf = ({ running }: Deps) => running.of<TakenLately>('sms taken lately');

/** What carriers took lately, as this process remembers it. */
export const takenLately = (deps: Deps): TakenLately | undefined => placeOf(deps).get();

export function startTakenLately(deps: Deps): { stop(): Promise<void> } {
  const newest = keepNewest<Taken>(most, keptMs, () => performance.now());
  let atTakeover: { taken: Taken[]; untilMs: number } | undefined;
  const isOver = () => atTakeover === undefined || atTakeover.untilMs < performance.now();
  const takeovers = onTakeover(deps, 'What carriers took before a failover was forgotten', async () => {
    const before = isOver() ? [] : atTakeover!.taken;
    atTakeover = { taken: [...before, ...newest.kept()], untilMs: performance.now() + recoveryMs };
  });
  placeOf(deps).set({
    note(claimed, outcomes) {
      for (const [index, { uuid }] of claimed.entries()) {
        const { kind, parts } = outcomes[index]!;
        if (kind === 'accepted') newest.add({ uuid, parts });
      }
      if (isOver()) atTakeover = undefined;
    },
    find(uuids) {
      const asked = new Set(uuids);
      const known = [...(atTakeover?.taken ?? []), ...newest.kept()];
      return new Map(known.filter(({ uuid }) => asked.has(uuid)).map(({ uuid, parts }) => [uuid, parts]));
    },
  });
  return {
    async stop() {
      placeOf(deps).set(undefined);
      await takeovers.stop();
    },
  };
}
