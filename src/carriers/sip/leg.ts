import { gather, makeKeypad } from '../ports/legs.ts';
import type { Leg, LegEnd, Sound } from '../ports/voice.ts';
import type { MediaSession, Remote } from './media/index.ts';

/** A leg from the inside. */
export interface LiveLeg {
  readonly leg: Leg;
  readonly accountIds: readonly string[];
  /** The trunk that it goes by. */
  trunk: string;
  readonly isOver: boolean;
  readonly media: MediaSession | undefined;
  /** False when the leg is over by now; then the session was closed. */
  attach(media: MediaSession): boolean;
  /** What both sides agreed on. */
  agreed(agreed: Remote & { isHeld: boolean }): void;
  press(digit: string): void;
  end(end: LegEnd): void;
}

export interface LiveLegOptions {
  id: string;
  accountIds: readonly string[];
  /** Ends it, in whatever state it is. */
  hangUp(): void;
  /** The ringing tone while there is no sound yet; undefined when there is. */
  ringBefore(): (() => void) | undefined;
  onOver(live: LiveLeg): void;
}

/** A call without any RTP for so long is taken for dead: its BYE was lost. */
const silentMs = 120_000;

export function makeLeg({ id, accountIds, hangUp, ringBefore, onOver }: LiveLegOptions): LiveLeg {
  const { promise: ended, resolve } = Promise.withResolvers<LegEnd>();
  const keypad = makeKeypad();
  let media: MediaSession | undefined;
  let isWatched = false;
  let isOver = false;

  function end(how: LegEnd): void {
    if (isOver) return;
    isOver = true;
    resolve(how);
    void media?.close();
    onOver(live);
  }

  function lose(description: string): void {
    end({ by: 'network', code: 408, description });
    hangUp();
  }

  async function play(sound: Sound, options?: { signal?: AbortSignal }): Promise<void> {
    if (!isOver) await media?.play(sound.path, options);
  }

  const live: LiveLeg = {
    accountIds,
    trunk: '',
    get isOver() {
      return isOver;
    },
    get media() {
      return media;
    },
    attach(session) {
      if (isOver) {
        void session.close();
        return false;
      }
      media = session;
      session.onDigit(keypad.press);
      session.onLost((error) => lose(error.message));
      return true;
    },
    agreed({ isHeld, ...remote }) {
      media?.setRemote(remote);
      media?.hold(isHeld);
      // With the first of them, and not before: the thread is woken once for both.
      if (!isWatched) media?.onSilent(silentMs, () => lose('Nothing was heard any more.'));
      isWatched = true;
    },
    press: keypad.press,
    end,
    leg: {
      id,
      ended,
      play,
      gather: (options, prompt) =>
        gather(options, {
          keypad,
          prompt: async (signal) => (prompt ? play(prompt, { signal }) : undefined),
          ended,
        }),
      playRinging: () => ringBefore() ?? media?.ringing() ?? (() => {}),
      async hangUp() {
        if (isOver) return;
        hangUp();
        await ended;
      },
    },
  };
  return live;
}
