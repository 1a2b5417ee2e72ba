import { rm } from 'node:fs/promises';
import { newId } from '../../../platform/ids.ts';
import { within } from '../../../platform/time/pause.ts';
import type { Recording, RecordOptions } from '../../ports/voice.ts';
import { AriError, isMissing } from '../ari/ari.ts';
import type { LiveLeg } from '../leg.ts';
import { hangUp, ownPrefix, type Switchboard } from '../switchboard.ts';
import { interleave } from './interleave.ts';

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

/** What one person says, as Asterisk records it. */
interface Tape {
  /** By the clock of Asterisk. */
  readonly startedMs: number;
  /** Ends it and brings it into a file. */
  keep(path: string): Promise<void>;
}

/** For a channel to be there, and for a file to be closed. */
const patienceMs = 5_000;
const spareSeconds = 5;

/**
 * A channel of its own listens to what the person says: on the person's channel, what is played would wait until the
 * recording is over, and a bridge has all voices in one. It fills silence in, and hangs up when the person does.
 */
async function startTape(board: Switchboard, leg: LiveLeg, mostMs: number | undefined): Promise<Tape> {
  const { ari, recordings } = board;
  const tap = `${ownPrefix}${newId()}`;
  const name = `${ownPrefix}${newId()}`;
  const { promise: started, resolve: onStarted } = Promise.withResolvers<number>();
  const { promise: finished, resolve: onFinished } = Promise.withResolvers<true>();
  recordings.set(name, { onStarted, onFinished: () => onFinished(true) });
  const leave = (): void => {
    recordings.delete(name);
    board.taps.delete(tap);
    hangUp(board, tap);
  };
  try {
    await listen(board, leg, tap);
    // The end is ours to say; this one is for the case that we cannot. 0 is none.
    const maxDurationSeconds = mostMs === undefined ? 0 : Math.ceil(mostMs / 1000) + spareSeconds;
    const query = { name, format: 'ulaw', maxDurationSeconds };
    const askedMs = Date.now();
    await ari.ask('POST', ['channels', tap, 'record'], { query });
    const startedMs = (await within(patienceMs, started)) ?? askedMs;
    return {
      startedMs,
      async keep(path) {
        try {
          await stop(board, name);
          await within(patienceMs, finished);
          await ari.download(['recordings', 'stored', name, 'file'], path);
          await ari.ask('DELETE', ['recordings', 'stored', name]).catch(() => {});
        } finally {
          leave();
        }
      },
    };
  } catch (error) {
    leave();
    throw error;
  }
}

async function listen({ ari, app, taps }: Switchboard, leg: LiveLeg, tap: string): Promise<void> {
  const { promise: entered, resolve } = Promise.withResolvers<true>();
  taps.set(tap, () => resolve(true));
  await ari.ask('POST', ['channels', leg.id, 'snoop', tap], { query: { spy: 'in', whisper: 'none', app } });
  // Before that Asterisk records nothing on it.
  if (!(await within(patienceMs, entered))) throw new AriError(0, 'Asterisk did not begin to listen.');
}

/** One that has ended by itself is as good. */
async function stop({ ari }: Switchboard, name: string): Promise<void> {
  await ari.ask('POST', ['recordings', 'live', name, 'stop']).catch((error) => {
    if (!isMissing(error)) throw error;
  });
}
