/**
 * What runs in the browser. Each function is sent there as text, so it uses nothing but its argument and what a page has; the
 * types of a page are not among those of the server.
 */
// biome-ignore-start lint/suspicious/noExplicitAny: see above
declare const document: any;
declare const history: any;
declare const axe: any;
declare const requestAnimationFrame: (next: (time: number) => void) => void;
// biome-ignore-end lint/suspicious/noExplicitAny: see above

/** As a link within the console does: without loading the page anew. */
export const goTo = (address: string): void => history.pushState(null, '', address);

/** There is a page, and nothing in it is on its way. */
export async function isComplete(): Promise<boolean> {
  await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
  return document.querySelector('h1') !== null && document.querySelector('[aria-busy=true]') === null;
}

export const headings = (): string[] =>
  [...document.querySelectorAll('h1')].map(({ textContent }) => String(textContent));

/** Faults that axe calls serious or critical. */
export async function faults(what: string): Promise<string[]> {
  // A colour on its way from light to dark is none that anybody reads by.
  for (const animation of document.getAnimations())
    if (Number.isFinite(animation.effect?.getComputedTiming().endTime)) animation.finish();
  const found = await axe.run({
    resultTypes: ['violations'],
    ...(what === 'contrast' && { runOnly: ['color-contrast'] }),
  });
  const bad: import('axe-core').Result[] = found.violations;
  return bad
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html }) => `${id} ${html.slice(0, 200)}`));
}

/** By how much the page is wider than the window. It needs a moment to arrange itself; what is too wide then stays so. */
export async function excessPixels(): Promise<number> {
  const { documentElement: root } = document;
  for (let frame = 0; frame < 120 && root.scrollWidth > root.clientWidth; frame++)
    await new Promise((next) => requestAnimationFrame(next));
  return root.scrollWidth - root.clientWidth;
}

/** Goes to the end of a list again and again, as pages come; gives the most rows that existed at a time. */
// biome-ignore lint/suspicious/noExplicitAny: an element of the page
export async function scrollToEnd(grid: any, lastIndex: number): Promise<number> {
  let box = grid;
  while (box.scrollHeight <= box.clientHeight && box.parentElement) box = box.parentElement;
  let most = 0;
  const deadline = Date.now() + 120_000;
  while (!grid.querySelector(`[aria-rowindex="${lastIndex}"]`)) {
    if (Date.now() > deadline) throw new Error(`It ends at ${grid.lastElementChild.lastElementChild?.ariaRowIndex}`);
    box.scrollTop = box.scrollHeight;
    await new Promise((next) => requestAnimationFrame(next));
    most = Math.max(most, grid.querySelectorAll('[role=row]').length);
  }
  return most;
}

export const focusedRow = (): number => Number(document.activeElement?.getAttribute('aria-rowindex'));
