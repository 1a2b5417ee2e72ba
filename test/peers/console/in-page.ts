/**
 * What runs in the browser. Each function is sent there as text, so it uses nothing but its argument and what a page has; the
 * types of a page are not among those of the server.
 */
// biome-ignore-start lint/suspicious/noExplicitAny: see above
declare const document: any;
declare const history: any;
declare const axe: any;
declare const getComputedStyle: (element: any) => any;
declare const requestAnimationFrame: (next: (time: number) => void) => void;
// biome-ignore-end lint/suspicious/noExplicitAny: see above

/** As a link within the console does: without loading the page anew. */
export const goTo = (address: string): void => history.pushState(null, '', address);

/** As the button of the browser does; whoever waits for the page that it leads to waits in vain if somebody is asked first. */
export const back = (): void => history.back();

/** There is a page, and nothing in it is on its way. */
export async function isComplete(): Promise<boolean> {
  await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
  return document.querySelector('h1') !== null && document.querySelector('[aria-busy=true]') === null;
}

export const headings = (): string[] =>
  [...document.querySelectorAll('h1')].map(({ textContent }) => String(textContent));

/** What still seems to be on its way. */
export const unfinished = (): string[] =>
  [...document.querySelectorAll('.mantine-Skeleton-root, .mantine-Loader-root')]
    .filter((element) => element.checkVisibility())
    .map(
      (element) => `still waits: ${element.parentElement.textContent.slice(0, 80)} ${element.outerHTML.slice(0, 120)}`,
    );

export const mainText = (): string => String(document.querySelector('main')?.innerText ?? document.body.innerText);

/** Buttons and links of the page that promise to change something. */
export function changingControls(): string[] {
  const verbs =
    /^(new|create|add|save|edit|delete|upload|import|send|write an answer|answer|launch|pause|resume|release|buy|register|redeliver|revoke|rename|make a copy|start|call (back|again)|hang up|opt (in|out)|erase|publish|deprecate|sync|close the|rotate|cancel|invite)\b/i;
  return [...document.querySelectorAll('main button, main a[href], main input[type=file], main textarea')]
    .filter(
      (element) =>
        element.checkVisibility() &&
        // What a preview shows is pressed for nobody.
        !element.closest('[aria-label^=Preview]') &&
        !element.matches(':disabled, [data-disabled], [aria-disabled=true]'),
    )
    .map((element) => String(element.getAttribute('aria-label') ?? element.textContent ?? '').trim())
    .filter((name) => name === 'Copy' || verbs.test(name));
}

/** A colour on its way from light to dark is none that anybody reads by. One that has come may send what inherits it on its way. */
export function endAnimations(): void {
  const underWay = () =>
    // biome-ignore lint/suspicious/noExplicitAny: an animation of the page
    document.getAnimations().filter(({ effect, playState }: any) => {
      return playState !== 'finished' && Number.isFinite(effect?.getComputedTiming().endTime);
    });
  for (let some = underWay(), round = 0; some.length > 0 && round < 50; some = underWay(), round++)
    for (const animation of some) animation.finish();
}

/** Faults that axe calls serious or critical, within what a selector names: by these of its rules, or by all if none is named. */
export async function faults({ rules, where }: { rules: string[]; where: string }): Promise<string[]> {
  const found = await axe.run(where, { resultTypes: ['violations'], ...(rules.length > 0 && { runOnly: rules }) });
  const bad: import('axe-core').Result[] = found.violations;
  return bad
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html }) => `${id} ${html.slice(0, 200)}`));
}

/**
 * Notes the kinds of text that are shown: by colours, size and ground. Unless axe has looked at all of it anyway, gives the faults of
 * contrast in those that this page has not shown before, in light or in dark. Axe takes half a second for all text of a page, and
 * finds the same of the same.
 */
export async function newContrastFaults({ where, scheme, isChecked }: ContrastOptions): Promise<string[]> {
  const inPage = globalThis as unknown as { shownText?: Record<string, Set<string>> };
  inPage.shownText ??= {};
  inPage.shownText[scheme] ??= new Set();
  const shown = inPage.shownText[scheme];
  const grounds = new Map<object, string>();
  // biome-ignore lint/suspicious/noExplicitAny: an element of the page
  const groundOf = (element: any): string => {
    if (!element) return '';
    const known = grounds.get(element);
    if (known !== undefined) return known;
    const { backgroundColor, backgroundImage, opacity, filter } = getComputedStyle(element);
    const own = [backgroundColor, backgroundImage, opacity, filter].join();
    const ground = groundOf(element.parentElement) + (own === 'rgba(0, 0, 0, 0),none,1,none' ? '' : `;${own}`);
    grounds.set(element, ground);
    return ground;
  };
  // Three of a kind, as one may be half hidden.
  const fresh = new Map<string, object[]>();
  for (const element of document.querySelectorAll(`${where} *`)) {
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
    if (!(hasText || element.matches('input, textarea')) || !element.checkVisibility()) continue;
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
    // What is disabled may be faint.
    const isDisabled =
      element.closest(':disabled, [aria-disabled=true]') ?? element.closest('label')?.control?.disabled;
    const kind = [color, fontSize, fontWeight, textShadow, Boolean(isDisabled), groundOf(element)].join();
    if (shown.has(kind)) continue;
    const alike = fresh.get(kind) ?? [];
    if (alike.length < 3) fresh.set(kind, [...alike, element]);
  }
  for (const kind of fresh.keys()) shown.add(kind);
  if (isChecked || fresh.size === 0) return [];
  const include = [...fresh.values()].flat();
  const found = await axe.run({ include }, { resultTypes: ['violations'], runOnly: ['color-contrast'] });
  const bad: import('axe-core').Result[] = found.violations;
  return bad.flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html }) => `${id} ${html.slice(0, 200)}`));
}

interface ContrastOptions {
  where: string;
  scheme: string;
  isChecked: boolean;
}

/** By how much the page is wider than the window. It needs a moment to arrange itself; what is too wide then stays so. */
export async function excessPixels(): Promise<number> {
  const { documentElement: root } = document;
  for (let frame = 0; frame < 120 && root.scrollWidth > root.clientWidth; frame++)
    await new Promise((next) => requestAnimationFrame(next));
  return root.scrollWidth - root.clientWidth;
}

/** Tabs that stand below the first of their bar. */
export const wrappedTabs = (): string[] =>
  [...document.querySelectorAll('[role=tab]')]
    .filter((tab) => tab.offsetTop > tab.parentElement.firstElementChild.offsetTop)
    .map(({ textContent }) => `the tab ${textContent} is in another line`);

/**
 * Goes through a list: the last row there is becomes the first one in sight, until the end is there. Gives the place of each row
 * and the number in it, in the order in which they were first seen, and the most rows that existed at a time.
 */
// biome-ignore lint/suspicious/noExplicitAny: an element of the page
export async function scrollThrough(grid: any, lastIndex: number) {
  const seen = new Map<number, string>();
  let mostRows = 0;
  const deadline = Date.now() + 600_000;
  while (!seen.has(lastIndex)) {
    if (Date.now() > deadline) throw new Error(`It ends at ${[...seen.keys()].at(-1)}`);
    await new Promise((next) => requestAnimationFrame(next));
    const rows = [...grid.lastElementChild.children].sort((one, other) => one.ariaRowIndex - other.ariaRowIndex);
    mostRows = Math.max(mostRows, rows.length);
    for (const row of rows) {
      const [number] = /\+\d+/.exec(row.textContent.replace(/\s/g, '')) ?? [];
      const index = Number(row.ariaRowIndex);
      // A row whose page has not come has no number.
      if (number && !seen.has(index)) seen.set(index, number);
    }
    rows.at(-1)?.scrollIntoView({ block: 'start' });
  }
  return { seen: [...seen], mostRows };
}

// biome-ignore lint/suspicious/noExplicitAny: an element of the page
export const isFocused = (element: any): boolean => element === document.activeElement;

// biome-ignore lint/suspicious/noExplicitAny: an element of the page
export const hasFocus = (element: any): boolean => element.contains(document.activeElement);

export const focusedRow = (): number => Number(document.activeElement?.getAttribute('aria-rowindex'));

/** The numbers of the first and the last row that a list shows, its head apart. */
// biome-ignore lint/suspicious/noExplicitAny: an element of the page
export function rowsInSight(grid: any): [first: number, last: number] {
  const numbers = [...grid.querySelectorAll('[role=row][aria-rowindex]')]
    .map((row) => Number(row.getAttribute('aria-rowindex')))
    .filter((number) => number > 1);
  return [Math.min(...numbers), Math.max(...numbers)];
}

// biome-ignore lint/suspicious/noExplicitAny: an element of the page
export const scrollTop = (element: any): number => element.scrollTop;

export const windowTop = (): number => document.defaultView.scrollY;
