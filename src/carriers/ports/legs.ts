// What carriers of real calls have in common.
import type { DialOutcome, GatherOptions, OutboundLeg } from './voice.ts';

/** Characters of a trunk's password: whoever knows it may call from anywhere. */
export const leastTrunkPassword = 8;

interface Asked {
  keypad: Keypad;
  /** Done when the prompt was heard, or was stopped. */
  prompt(signal: AbortSignal): Promise<void>;
  ended: Promise<unknown>;
}

/** Collects keys: enough of them, the finishing one, patience, or the end of the leg ends it. */
export async function gather({ most, finishKey, patienceMs }: GatherOptions, asked: Asked): Promise<string> {
  const speaking = new AbortController();
  const { promise: done, resolve } = Promise.withResolvers<void>();
  let digits = '';
  let timer: NodeJS.Timeout | undefined;
  const finish = (): void => {
    // Keys that come after the end are for the next question.
    stopListening();
    resolve();
  };
  const wait = (): void => {
    clearTimeout(timer);
    timer = setTimeout(finish, patienceMs);
  };
  const stopListening = asked.keypad.ask((digit) => {
    speaking.abort();
    if (digit !== finishKey) digits += digit;
    if (digit === finishKey || digits.length >= most) finish();
    else wait();
  });
  try {
    // One who presses a key has heard enough; one who has heard it all is given time.
    await Promise.race([asked.prompt(speaking.signal), done, asked.ended]);
    if (!speaking.signal.aborted) wait();
    await Promise.race([done, asked.ended]);
    return digits;
  } finally {
    speaking.abort();
    clearTimeout(timer);
    stopListening();
  }
}

/** Why a call did not come about, of SIP's code (RFC 3261 21). */
export function kindOf(code: number): Exclude<DialOutcome['kind'], 'answered' | 'cancelled'> {
  if (code === 486 || code === 600) return 'busy';
  if ([401, 403, 407, 433, 603, 607, 608].includes(code)) return 'refused';
  return code === 408 || code === 480 || code === 487 ? 'unanswered' : 'unreachable';
}

/** The leg of a call that cannot even begin. */
export function nowhere(description: string): OutboundLeg {
  const none = async (): Promise<void> => {};
  return {
    id: '',
    outcome: Promise.resolve<DialOutcome>({ kind: 'unreachable', code: 503, description }),
    ended: Promise.resolve({ by: 'network', code: 503, description }),
    play: none,
    playRinging: () => () => {},
    gather: async () => '',
    hangUp: none,
  };
}

/** The keys of a leg. Callers press ahead of a menu they know, so keys that nobody listens for wait for the next question. */
interface Keypad {
  press(digit: string): void;
  /** Hears every key from now on, until what it returns is called. */
  listen(listener: (digit: string) => void): () => void;
  /** The same, beginning with the keys that wait. */
  ask(listener: (digit: string) => void): () => void;
}

/** As many as a question takes. */
const mostAhead = 20;

export function makeKeypad(): Keypad {
  const listeners = new Set<(digit: string) => void>();
  const ahead: string[] = [];

  const listen = (listener: (digit: string) => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };

  return {
    listen,
    press(digit) {
      if (listeners.size === 0 && ahead.length < mostAhead) ahead.push(digit);
      for (const listener of [...listeners]) listener(digit);
    },
    ask(listener) {
      const stop = listen(listener);
      // Once whoever asks has what is returned here.
      queueMicrotask(() => {
        while (ahead.length > 0 && listeners.has(listener)) listener(ahead.shift()!);
      });
      return stop;
    },
  };
}
