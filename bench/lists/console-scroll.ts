/** What runs in the browser. It is sent there as text, so it uses nothing but its arguments and what a page has. */
// biome-ignore-start lint/suspicious/noExplicitAny: the types of a page are not among those of the server
declare const PerformanceObserver: any;
declare const requestAnimationFrame: (next: (time: number) => void) => void;
type Element = any;
// biome-ignore-end lint/suspicious/noExplicitAny: see above

export interface Scrolling {
  pixelsPerSecond: number;
  /** Down until this row is there; without it, up and down until the time is over. */
  lastIndex?: number;
  mostMs: number;
}

export interface Scrolled {
  /** From each frame to the next. */
  frameMs: number[];
  /** Tasks of more than 50 ms, and frames that took so long to make. */
  longTaskMs: number[];
  longFrames: number;
  /** How long it stood at the end of what had come. */
  waitedMs: number;
  tookMs: number;
  mostRows: number;
  reached: number;
}

/** Scrolls a list at a steady speed, frame by frame. */
export async function scroll(grid: Element, { pixelsPerSecond, lastIndex, mostMs }: Scrolling): Promise<Scrolled> {
  let box = grid;
  while (box.scrollHeight <= box.clientHeight && box.parentElement) box = box.parentElement;
  const found: Scrolled = {
    frameMs: [],
    longTaskMs: [],
    longFrames: 0,
    waitedMs: 0,
    tookMs: 0,
    mostRows: 0,
    reached: 0,
  };
  const observer = new PerformanceObserver((list: { getEntries(): { entryType: string; duration: number }[] }) => {
    for (const { entryType, duration } of list.getEntries()) {
      if (entryType === 'longtask') found.longTaskMs.push(duration);
      else found.longFrames++;
    }
  });
  observer.observe({ type: 'longtask' });
  observer.observe({ type: 'long-animation-frame' });

  const look = (): void => {
    const rows: Element[] = [...grid.lastElementChild.children];
    const last = rows.reduce((most, { ariaRowIndex }) => Math.max(most, Number(ariaRowIndex)), 0);
    found.reached = Math.max(found.reached, last);
    found.mostRows = Math.max(found.mostRows, rows.length);
  };

  const frame = (): Promise<number> => new Promise((next) => requestAnimationFrame(next));
  const startedMs = await frame();
  let beforeMs = startedMs;
  let position = box.scrollTop;
  let direction = 1;
  while (beforeMs - startedMs < mostMs) {
    const nowMs = await frame();
    const passedMs = nowMs - beforeMs;
    found.frameMs.push(passedMs);
    beforeMs = nowMs;
    look();
    const end = box.scrollHeight - box.clientHeight;
    const isAtEnd = position >= end - 1;
    if (lastIndex === undefined) {
      if (isAtEnd) direction = -1;
      if (position <= 0) direction = 1;
    } else if (found.reached >= lastIndex) break;
    else if (isAtEnd) found.waitedMs += passedMs;
    position = Math.max(0, Math.min(end, position + (direction * pixelsPerSecond * passedMs) / 1000));
    box.scrollTop = position;
  }
  found.tookMs = beforeMs - startedMs;
  // What is observed is told a little later.
  await new Promise((next) => setTimeout(next, 200));
  observer.disconnect();
  return found;
}
