import { newId } from '../../platform/ids.ts';
import { within } from '../../platform/time/pause.ts';
import { gather, makeKeypad } from '../ports/legs.ts';
import type { Leg, LegEnd, Sound } from '../ports/voice.ts';
import { type AriError, isMissing, type Method } from './ari/ari.ts';
import { normalClearing } from './ari/causes.ts';
import type { Destroyed } from './ari/events.ts';
import type { Switchboard } from './switchboard.ts';

/** A leg from the inside: one channel of Asterisk. */
export interface LiveLeg {
  readonly id: string;
  readonly leg: Leg;
  readonly accountId: string | null;
  readonly isOver: boolean;
  isAnswered: boolean;
  /** Sounds that were stopped, but that Asterisk may not have stopped yet. */
  readonly quiet: Promise<unknown>;
  onDigit(listener: (digit: string) => void): () => void;
  /** Asks something of the channel; false when the leg is over. Throws other refusals. */
  order(method: Method, path: string[], query?: Record<string, string | number>): Promise<boolean>;
  end(end: LegEnd): void;
  /** Hangs up, and is done when the leg is over. */
  dismiss(how: LegEnd, cause: number): Promise<void>;
  lose(description: string): void;
  /** What Asterisk tells. */
  entered(): void;
  press(digit: string): void;
  noteCause(cause: Destroyed): void;
  leave(): void;
  destroyed(how: Destroyed): void;
}

export interface LiveLegOptions {
  id: string;
  accountId: string | null;
  isAnswered: boolean;
  /** Whether ringing can be signalled while there is no answer. */
  canSignalRinging: boolean;
  /** Answered, of one that we ring. */
  onEntered?(): void;
  /** How it ended when nobody here asked for it. */
  endOf(how: Destroyed): LegEnd;
  /** How it ends when we hang up before the answer. */
  giveUp(): LegEnd;
  /** Done when Asterisk has heard of the channel; before that it cannot hang up. */
  ready?(): Promise<unknown>;
}

/** For the event that says more than the one before, or than a 404. */
const lastWordMs = 1_000;
const hangUpMs = 3_000;
const ordinary: Destroyed = { cause: normalClearing, text: '', techCause: 0 };

export function makeLeg(board: Switchboard, options: LiveLegOptions): LiveLeg {
  const { ari, legs, playbacks, log } = board;
  const { id, accountId } = options;
  const { promise: ended, resolve } = Promise.withResolvers<LegEnd>();
  const keypad = makeKeypad();
  let isOver = false;
  let asked: LegEnd | undefined;
  let lastCause: Destroyed | undefined;
  let quiet: Promise<unknown> = Promise.resolve();

  function end(how: LegEnd): void {
    if (isOver) return;
    isOver = true;
    legs.delete(id);
    resolve(how);
  }
  const lose = (description: string): void => end(asked ?? { by: 'network', code: 408, description });
  const soon = (run: () => void): void => {
    const timer = setTimeout(run, lastWordMs);
    void ended.then(() => clearTimeout(timer));
  };

  async function order(method: Method, path: string[], query?: Record<string, string | number>): Promise<boolean> {
    if (isOver) return false;
    try {
      await ari.ask(method, ['channels', id, ...path], query ? { query } : {});
      return !isOver;
    } catch (error) {
      if (isOver) return false;
      if (!isMissing(error)) throw error;
      soon(() => lose('Asterisk does not know the call any more.'));
      await ended;
      return false;
    }
  }

  /** Begins to play; `stop` is done when Asterisk has been told. */
  function startPlaying(media: string): { finished: Promise<void>; stop(): Promise<void> } {
    const playback = newId();
    const { promise: heard, resolve: onFinished } = Promise.withResolvers<boolean>();
    playbacks.set(playback, onFinished);
    const started = quiet.then(() => order('POST', ['play', playback], { media }));
    const finish = async (): Promise<void> => {
      if (!(await started)) return;
      const isFailed = await Promise.race([heard, ended.then(() => false)]);
      if (isFailed && !isOver) throw new Error(`Asterisk could not play ${media}.`);
    };
    const finished = finish().finally(() => playbacks.delete(playback));
    finished.catch(() => {});
    const stop = async (): Promise<void> => {
      // One that Asterisk has not heard of yet cannot be stopped.
      if (!(await started.catch(() => false))) return;
      await ari.ask('DELETE', ['playbacks', playback]).catch((error) => {
        if (!isMissing(error)) log.warn({ error: error.message }, 'Asterisk did not stop a sound');
      });
      onFinished(false);
    };
    return {
      finished,
      stop() {
        const stopped = stop();
        quiet = Promise.all([quiet, stopped]);
        return stopped;
      },
    };
  }

  async function play(sound: Sound, { signal }: { signal?: AbortSignal } = {}): Promise<void> {
    if (isOver || signal?.aborted) return;
    const media = await board.sounds.mediaOf(sound.path);
    if (isOver || signal?.aborted) return;
    const { finished, stop } = startPlaying(media);
    const onAbort = (): void => void stop();
    signal?.addEventListener('abort', onAbort);
    try {
      await finished;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** One who hears no prompt may know what to press all the same. */
  async function ask(prompt: Sound | undefined, signal: AbortSignal): Promise<void> {
    if (!prompt) return;
    await play(prompt, { signal }).catch((error: Error) =>
      log.warn({ error: error.message, channel: id }, 'A prompt is not played'),
    );
  }

  function signalRinging(): () => void {
    const tell = (method: Method): Promise<unknown> =>
      order(method, ['ring']).catch((error: AriError) =>
        log.warn({ error: error.message }, 'Ringing is not signalled'),
      );
    const told = tell('POST');
    // The answer ends it by itself.
    return () => void told.then(() => live.isAnswered || tell('DELETE'));
  }

  function playRinging(): () => void {
    if (isOver) return () => {};
    if (!live.isAnswered) return options.canSignalRinging ? signalRinging() : () => {};
    const { finished, stop } = startPlaying('tone:ring');
    finished.catch((error: Error) => log.warn({ error: error.message }, 'The ringing tone is not played'));
    return () => void stop();
  }

  async function dismiss(how: LegEnd, cause: number): Promise<void> {
    asked ??= how;
    try {
      await options.ready?.();
      if (isOver) return;
      await ari.ask('DELETE', ['channels', id], { query: { reason_code: cause } });
      await within(hangUpMs, ended);
    } catch (error) {
      if (!isMissing(error)) log.warn({ error: (error as Error).message, channel: id }, 'Asterisk did not hang up');
    }
    end(asked);
  }

  const live: LiveLeg = {
    id,
    accountId,
    isAnswered: options.isAnswered,
    get isOver() {
      return isOver;
    },
    get quiet() {
      return quiet;
    },
    onDigit: keypad.listen,
    order,
    end,
    dismiss,
    lose,
    entered: () => options.onEntered?.(),
    press: keypad.press,
    noteCause(cause) {
      if (cause.cause !== 0) lastCause = cause;
    },
    // Left without being hung up: somebody sent it on in the dialplan.
    leave: () => soon(() => live.destroyed(lastCause ?? ordinary)),
    destroyed: (how) => end(asked ?? options.endOf(how)),
    leg: {
      id,
      ended,
      play,
      playRinging,
      gather: (what, prompt) =>
        isOver
          ? Promise.resolve('')
          : gather(what, {
              keypad,
              prompt: (signal) => ask(prompt, signal),
              ended,
            }),
      async hangUp() {
        if (isOver) return;
        const how: LegEnd = live.isAnswered ? { by: 'us', code: 200, description: 'Hung up.' } : options.giveUp();
        await dismiss(how, normalClearing);
      },
    },
  };
  legs.set(id, live);
  return live;
}
