/** The keys of a leg. Callers press ahead of a menu they know, so keys that nobody listens for wait for the next question. */
export interface Keypad {
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
