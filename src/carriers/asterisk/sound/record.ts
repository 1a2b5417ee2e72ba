import { rm } from 'node:fs/promises';
import { newId } from '../../../platform/ids.ts';
import type { Recording, RecordOptions } from '../../ports/voice.ts';
import type { LiveLeg } from '../leg.ts';
import type { Switchboard } from '../switchboard.ts';
import { interleave } from './interleave.ts';
import { startTape, type Tape } from './tape.ts';

/** Records what each of these persons says, a channel for each. */
export function record(board: Switchboard, legs: LiveLeg[], options: RecordOptions): Recording {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  const ended = run(board, legs, options, stopped);
  // Whoever asked hears of a failure from `stop` or `ended`.
  ended.catch(() => {});
  return {
    ended,
    stop() {
      stop();
      return ended;
    },
  };
}

async function run(
  board: Switchboard,
  legs: LiveLeg[],
  { path, mostMs, finishKey }: RecordOptions,
  stopped: Promise<void>,
): Promise<{ seconds: number }> {
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  const [first] = legs as [LiveLeg, ...LiveLeg[]];
  const stopListening = first.onDigit((digit) => digit === finishKey && finish());
  const starting = legs.map((leg) => startTape(board, leg, mostMs));
  const started = Promise.allSettled(starting);
  // Counted from the moment when there is something to hear.
  let timer: NodeJS.Timeout | undefined;
  void started.then((tapes) => {
    if (tapes.every(({ status }) => status === 'rejected')) finish();
    else if (mostMs !== undefined) timer = setTimeout(finish, mostMs);
  });
  const [tapes] = await Promise.all([started, Promise.race([stopped, finished, first.leg.ended])]);
  clearTimeout(timer);
  stopListening();
  return keep(board, tapes, path);
}

/** Brings home what there is. One side that is lost is silent; the recording is lost when both are. */
async function keep(
  { log }: Switchboard,
  tapes: PromiseSettledResult<Tape>[],
  path: string,
): Promise<{ seconds: number }> {
  const places = tapes.map(() => `${path}.${newId()}`);
  try {
    const kept = await Promise.allSettled(
      tapes.map(async (tape, n) => {
        if (tape.status === 'rejected') throw tape.reason;
        await tape.value.keep(places[n]!);
        return tape.value.startedMs;
      }),
    );
    const lost = kept.filter((one) => one.status === 'rejected');
    if (lost.length === kept.length) throw lost[0]!.reason;
    for (const { reason } of lost) log.warn({ error: reason.message }, 'One side of a recording is lost');
    const begin = Math.min(...kept.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
    const tracks = kept.map((one, n) =>
      one.status === 'fulfilled' ? { path: places[n]!, lateMs: one.value - begin } : { path: undefined, lateMs: 0 },
    );
    return await interleave(tracks, path);
  } finally {
    await Promise.all(places.map((place) => rm(place, { force: true })));
  }
}
