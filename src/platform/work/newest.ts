/** The newest of what came lately. */
export interface Newest<T> {
  add(one: T): void;
  /** It reaches back by `keptMs` at least, and by twice that at most, unless more came than there is room for. */
  kept(): T[];
  /** How many of that time there was no room for. */
  passedOver(): number;
}

/** Where they are kept: in places from 0 up, of which old ones are used again. */
export interface Shelf<T> {
  put(place: number, one: T): void;
  all(): T[];
}

function listShelf<T>(): Shelf<T> {
  const items: T[] = [];
  return {
    put(place, one) {
      items[place] = one;
    },
    all: () => items,
  };
}

/** Two spans of `keptMs`, each a ring that the newest `most` stay in: one more costs the same, however many there are. */
export function keepNewest<T>(
  most: number,
  keptMs: number,
  nowMs: () => number,
  makeShelf: () => Shelf<T> = listShelf,
): Newest<T> {
  const emptySpan = () => ({ shelf: makeShelf(), count: 0 });
  let [before, recent] = [emptySpan(), emptySpan()];
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
      recent.shelf.put(recent.count % most, one);
      recent.count += 1;
    },
    kept: () => [...before.shelf.all(), ...recent.shelf.all()],
    passedOver: () => [before, recent].reduce((sum, { count }) => sum + Math.max(0, count - most), 0),
  };
}
