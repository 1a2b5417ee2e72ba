import type { GatherOptions } from '../../../ports/voice.ts';
import type { VoiceTime } from '../time.ts';
import type { SandboxLeg } from './leg.ts';

/** People think before they press the first key, and are quicker with the others. */
const firstKeyMs = 1000;
const nextKeyMs = 400;

interface Gathering {
  time: VoiceTime;
  /** What the person hears meanwhile; the first key stops it. */
  play: ((stop: AbortSignal) => Promise<void>) | undefined;
}

/** Collects keys: those that the person was going to press at this time, and those that are pressed by hand. */
export async function gatherKeys(
  leg: SandboxLeg,
  { most, finishKey, patienceMs }: GatherOptions,
  { time, play }: Gathering,
): Promise<string> {
  const { accountId, digits } = leg.phone;
  const keyed = new AbortController();
  const finished = new AbortController();
  const isOver = AbortSignal.any([leg.over, finished.signal]);
  let again = new AbortController();
  let taken = '';
  const stopListening = leg.onKey((key) => {
    keyed.abort();
    again.abort();
    if (isOver.aborted) return;
    if (key !== finishKey) taken += key;
    if (key === finishKey || taken.length === most) finished.abort();
  });

  const pressAll = async (keys: string): Promise<void> => {
    for (const [place, key] of [...keys].entries()) {
      await time.wait(accountId, place === 0 ? firstKeyMs : nextKeyMs, isOver);
      if (isOver.aborted) return;
      leg.press(key);
    }
  };

  try {
    const pressing = pressAll(digits.shift() ?? '');
    await play?.(keyed.signal);
    await pressing;
    // Patience begins anew with each key.
    do {
      again = new AbortController();
      await time.wait(accountId, patienceMs, AbortSignal.any([isOver, again.signal]));
    } while (again.signal.aborted && !isOver.aborted);
    return taken;
  } finally {
    stopListening();
  }
}
