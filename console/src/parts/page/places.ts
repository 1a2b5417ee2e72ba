/** Where something that scrolls was left. */
export interface Place {
  top: number;
  /** The first row in sight, and by how many pixels it was scrolled over: rows above it may come and go meanwhile. */
  row?: string;
  over?: number;
}

const storage = 'parley-scroll';
/** As many as these are remembered. */
const mostPlaces = 50;
const places = new Map<string, Place>(recall());
window.addEventListener('pagehide', () =>
  sessionStorage.setItem(storage, JSON.stringify([...places].slice(-mostPlaces))),
);
// The browser would scroll a page that is not drawn yet.
history.scrollRestoration = 'manual';

function recall(): [string, Place][] {
  try {
    return JSON.parse(sessionStorage.getItem(storage) ?? '[]') as [string, Place][];
  } catch {
    return [];
  }
}

const hasReturned = (): boolean => {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return entry !== undefined && entry.type !== 'navigate';
};

/**
 * What to return to, as it was when the page at hand was come back to: by the buttons of the browser, or by a reload. Scrolling that
 * happens while the page is made does not count. Null for who comes anew.
 */
let remembered: ReadonlyMap<string, Place> | null = hasReturned() ? new Map(places) : null;
// Before the router hears of it, which may draw the page at once.
window.addEventListener(
  'popstate',
  () => {
    remembered = new Map(places);
  },
  { capture: true },
);
// The router tells of its own changes so.
for (const kind of ['pushState', 'replaceState']) {
  window.addEventListener(
    kind,
    () => {
      remembered = null;
    },
    { capture: true },
  );
}

const keyOf = (label: string): string => `${location.pathname}${location.search} ${label}`;

/** Where this was when it was left; undefined for who comes to it anew. */
export const placeOf = (label: string): Place | undefined => remembered?.get(keyOf(label));

export function notePlace(label: string, place: Place): void {
  const key = keyOf(label);
  // The latest last, so that the others are forgotten first.
  places.delete(key);
  places.set(key, place);
}

const framesAtRest = 10;
const patienceMs = 10_000;
const hands = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/**
 * Calls `reach` frame by frame, which scrolls and says whether the place is reached, until it has rested there: what is drawn
 * meanwhile may move it. Whoever scrolls, points or types is left alone. Returns how to stop.
 */
export function returnTo(reach: () => boolean, done: () => void): () => void {
  const end = performance.now() + patienceMs;
  let atRest = 0;
  let frame = 0;
  const stop = (): void => {
    cancelAnimationFrame(frame);
    for (const hand of hands) window.removeEventListener(hand, finish, { capture: true });
  };
  const finish = (): void => {
    stop();
    done();
  };
  const next = (): void => {
    atRest = reach() ? atRest + 1 : 0;
    if (atRest >= framesAtRest || performance.now() > end) finish();
    else frame = requestAnimationFrame(next);
  };
  for (const hand of hands) window.addEventListener(hand, finish, { capture: true, passive: true });
  next();
  return stop;
}
