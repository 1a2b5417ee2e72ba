import { newId } from '../../../platform/ids.ts';
import { within } from '../../../platform/time/pause.ts';
import { AriError, isMissing } from '../ari/ari.ts';
import type { LiveLeg } from '../leg.ts';
import { hangUp, ownPrefix, type Switchboard } from '../switchboard.ts';

/** What one person says, as Asterisk records it. */
export interface Tape {
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
export async function startTape(board: Switchboard, leg: LiveLeg, mostMs: number | undefined): Promise<Tape> {
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
