/** The newest of what came lately. */
export interface Newest<T> {
  add(one: T): void;
  /** It reaches back by `keptMs` at least, and by twice that at most, unless more came than there is room for. */
  kept(): T[];
  /** How many of that time there was no room for. */
  passedOver(): number;
}

interface Span<T> {
  items: T[];
  count: number;
}

const emptySpan = <T>(): Span<T> => ({ items: [], count: 0 });

/** Two spans of `keptMs`, each a ring that the newest `most` stay in: one more costs the same, however many there are. */
export function keepNewest<T>(most: number, keptMs: number, nowMs: () => number): Newest<T> {
  let [before, recent]: [Span<T>, Span<T>] = [emptySpan(), emptySpan()];
  let sinceMs = nowMs();

  const turn = (): void => {
    const passedMs = nowMs() - sinceMs;
    if (passedMs <= keptMs) return;
    [before, recent] = [passedMs > 2 * keptMs ? emptySpan() : recent, emptySpan()];
    sinceMs += passedMs;
  };

  return {
    add(one) {
      turn();
      recent.items[recent.count % most] = one;
      recent.count += 1;
    },
    kept: () => [...before.items, ...recent.items],
    passedOver: () => [before, recent].reduce((sum, { count, items }) => sum + count - items.length, 0),
  };
}
