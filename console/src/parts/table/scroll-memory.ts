import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { notePlace, type Place, placeOf, returnTo } from '../page/places.ts';

interface Scrolled<R> {
  label: string;
  scroller: HTMLElement | null;
  rows: R[];
  keyOf(row: R): string;
  rowHeight: number;
  /** There are rows, or it is known that there are none. */
  ready: boolean;
  hasMore: boolean;
  loadMore(): void;
}

/**
 * Who comes back to a list finds it where they left it: the same row in the same place, with as many pages as it takes, also if
 * rows have come above it. Returns where the list begins, in pixels.
 */
export function useScrollMemory<R>(scrolled: Scrolled<R>): number {
  const { label, scroller, rows, keyOf, rowHeight, ready, hasMore, loadMore } = scrolled;
  const [start] = useState(() => placeOf(label));
  const wanted = useRef(start);
  const shown = useRef(rows);
  shown.current = rows;
  const topOf = (place: Place): number | undefined => {
    const index = place.row === undefined ? -1 : rows.findIndex((row) => keyOf(row) === place.row);
    if (index >= 0) return index * rowHeight + (place.over ?? 0);
    // The row may be on a page that is not here yet.
    return hasMore && rows.length * rowHeight < place.top + (scroller?.clientHeight ?? 0) ? undefined : place.top;
  };
  const [begin] = useState(() => (start && topOf(start)) ?? 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: tried again whenever there is more to scroll
  useLayoutEffect(() => {
    const place = wanted.current;
    if (!scroller || !ready || !place) return undefined;
    const top = topOf(place);
    if (top === undefined) {
      loadMore();
      return undefined;
    }
    const reach = (): boolean => {
      if (scroller.scrollTop !== top) scroller.scrollTop = top;
      return (
        Math.abs(scroller.scrollTop - top) < 1 || scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight
      );
    };
    return returnTo(reach, () => {
      wanted.current = undefined;
    });
  }, [scroller, ready, rows.length, hasMore]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: how rows are told apart does not change
  useEffect(() => {
    if (!scroller) return undefined;
    const note = (): void => {
      // On its way back to where it was, it is not there yet.
      if (wanted.current) return;
      const top = scroller.scrollTop;
      const index = Math.floor(top / rowHeight);
      const row = shown.current[index];
      notePlace(label, { top, ...(row !== undefined && { row: keyOf(row), over: top - index * rowHeight }) });
    };
    // Who came by a link begins at the top, and what was remembered of an earlier visit counts no more.
    note();
    scroller.addEventListener('scroll', note, { passive: true });
    return () => scroller.removeEventListener('scroll', note);
  }, [scroller, label, rowHeight]);
  return begin;
}
