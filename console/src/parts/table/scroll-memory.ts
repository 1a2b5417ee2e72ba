import { useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Whether the page at hand was come back to: by the buttons of the browser, or by a reload. */
let cameBack = true;
// Before the router hears of it, which may draw the page at once.
window.addEventListener(
  'popstate',
  () => {
    cameBack = true;
  },
  { capture: true },
);
// The router tells of its own changes so.
for (const kind of ['pushState', 'replaceState']) {
  window.addEventListener(
    kind,
    () => {
      cameBack = false;
    },
    { capture: true },
  );
}

interface Place {
  top: number;
}

const keyOf = (label: string): string => `${location.pathname}${location.search} ${label}`;

const storage = 'parley-scroll';
/** As many lists as these are remembered. */
const mostPlaces = 50;
const places = new Map<string, Place>(recall());
window.addEventListener('pagehide', () =>
  sessionStorage.setItem(storage, JSON.stringify([...places].slice(-mostPlaces))),
);

function recall(): [string, Place][] {
  try {
    return JSON.parse(sessionStorage.getItem(storage) ?? '[]') as [string, Place][];
  } catch {
    return [];
  }
}

/** Where this list was when it was left; undefined for who comes to it anew. */
export const useStartingPlace = (label: string): Place | undefined =>
  useState(() => (cameBack ? places.get(keyOf(label)) : undefined))[0];

interface Scrolled {
  label: string;
  start: Place | undefined;
  scroller: HTMLElement | null;
  /** How much there is to scroll by now, in pixels. */
  height: number;
  /** There are rows, or it is known that there are none. */
  ready: boolean;
  hasMore: boolean;
  loadMore(): void;
  scrollTo(top: number): void;
}

/** Who comes back to a list finds it where they left it, with as many pages as they had read. */
export function useScrollMemory(scrolled: Scrolled): void {
  const { label, start, scroller, height, ready, hasMore, loadMore, scrollTo } = scrolled;
  const wanted = useRef(start);
  // biome-ignore lint/correctness/useExhaustiveDependencies: tried again whenever there is more to scroll
  useLayoutEffect(() => {
    const place = wanted.current;
    if (!scroller || !ready || !place) return undefined;
    scrollTo(place.top);
    if (height < place.top && hasMore) {
      loadMore();
      return undefined;
    }
    // The virtual rows arrange themselves over some frames, and may go to their beginning meanwhile.
    let frames = 20;
    const stay = (): void => {
      if (scroller.scrollTop !== place.top) scroller.scrollTop = place.top;
      frames -= 1;
      if (frames > 0) frame = requestAnimationFrame(stay);
      else wanted.current = undefined;
    };
    let frame = requestAnimationFrame(stay);
    return () => cancelAnimationFrame(frame);
  }, [scroller, ready, height, hasMore]);
  useEffect(() => {
    if (!scroller) return;
    const note = (): void => {
      // On its way back to where it was, it is not there yet.
      if (wanted.current) return;
      const key = keyOf(label);
      // The latest last, so that the others are forgotten first.
      places.delete(key);
      places.set(key, { top: scroller.scrollTop });
    };
    scroller.addEventListener('scroll', note, { passive: true });
    return () => scroller.removeEventListener('scroll', note);
  }, [scroller, label]);
}
