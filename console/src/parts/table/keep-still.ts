export interface Kept<R> {
  /** What is shown: in the order in which it was, each row as it is now. */
  rows: R[];
  /** Rows that are not there any more, and keep their place until somebody has looked elsewhere. */
  gone: ReadonlySet<R>;
  /** So many rows wait to be shown. */
  waiting: number;
  /** The rows are in another order by now. */
  moved: boolean;
}

export const showAll = <R>(rows: R[]): Kept<R> => ({ rows, gone: new Set(), waiting: 0, moved: false });

/**
 * What to show of a list that has changed while somebody points at it: no row moves. Rows change where they stand, rows behind the
 * last one are added, and whatever would push others down waits.
 */
export function keepStill<R>(shown: R[], fresh: R[], keyOf: (row: R) => string, hasMore: boolean): Kept<R> {
  const placeOf = new Map(fresh.map((row, place) => [keyOf(row), place]));
  const places = shown.map((row) => placeOf.get(keyOf(row)));
  const lastKnown = places.findLastIndex((place) => place !== undefined);
  if (lastKnown < 0 && !hasMore) return showAll(fresh);
  const furthest = places.reduce<number>((most, place) => Math.max(most, place ?? -1), -1);
  const gone = new Set<R>();
  const rows: R[] = [];
  for (const [index, row] of shown.entries()) {
    const place = places[index];
    if (place !== undefined) rows.push(fresh[place]!);
    else if (index < lastKnown) {
      gone.add(row);
      rows.push(row);
    }
    // So many came that it is on a page that is not read yet.
    else if (hasMore) rows.push(row);
  }
  const known = new Set(shown.map(keyOf));
  const isNew = (row: R): boolean => !known.has(keyOf(row));
  const before = fresh.slice(0, furthest + 1);
  const waiting = (furthest < 0 ? fresh : before).filter(isNew).length;
  if (furthest >= 0) rows.push(...fresh.slice(furthest + 1).filter(isNew));
  const inOrder = places.filter((place) => place !== undefined);
  return { rows, gone, waiting, moved: inOrder.some((place, index) => index > 0 && place < inOrder[index - 1]!) };
}
