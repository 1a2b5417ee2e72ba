import { cut } from './fit.ts';

/** A filled text, and the names of the placeholders that had no value. */
export interface Rendered {
  text: string;
  missing: string[];
}

/**
 * Fills `{{Name}}` placeholders; spaces inside the braces do not count, and a name without a value renders as nothing.
 * The template is read once, from left to right, and values are copied, never read: a value that holds `{{x}}` stays as it is.
 * A name ends at the next brace of either kind, which is what keeps the cost linear for any input (a megabyte of `{{`).
 * Values multiply: once the text is longer than `most`, nothing more is copied, and only names are still looked at.
 */
export function render(
  template: string,
  variables: Readonly<Record<string, string>>,
  most = Number.POSITIVE_INFINITY,
): Rendered {
  const missing = new Set<string>();
  let text = '';
  let copied = 0;
  let open = template.indexOf('{{');
  while (open >= 0) {
    const close = nextBrace(template, open + 2);
    const name = template.startsWith('}}', close) ? template.slice(open + 2, close).trim() : '';
    if (name === '') {
      // Braces around nothing, or never closed, are ordinary text.
      open = template.indexOf('{{', open + 1);
      continue;
    }
    const value = Object.hasOwn(variables, name) ? variables[name]! : undefined;
    if (value === undefined) missing.add(name);
    if (text.length <= most) text += template.slice(copied, open) + (value ?? '');
    copied = close + 2;
    open = template.indexOf('{{', copied);
  }
  if (text.length <= most) text += template.slice(copied);
  return { text, missing: [...missing] };
}

function nextBrace(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== '{' && text[at] !== '}') at++;
  return at;
}

/** What becomes of one text when its placeholders are filled; undefined leaves its field out. */
type Finish = (text: string) => string | undefined;

/** The texts of an object that need more than to be filled, in the shape of the object; `[plan]` is for each item of a list. */
export type Plan = Finish | readonly [Plan] | { readonly [field: string]: Plan };

export interface Filler {
  /** The value with every text in it filled; names of fields are left alone. */
  fill(value: unknown, plan?: Plan): unknown;
  /** The placeholders that had no value. */
  missing(): string[];
  /** Whether it all became too much, and what was filled is not whole. */
  isTooLong(): boolean;
}

/** In all the texts of a message together; a request is no larger either. */
const mostCharacters = 1_000_000;
/** More than fits in any place that has a limit. */
const longestFinished = 10_000;
const mostMissing = 50;
const longestMissing = 100;

export function makeFiller(variables: Readonly<Record<string, string>>): Filler {
  const missing = new Set<string>();
  let left = mostCharacters;

  function fillText(template: string, plan: Plan | undefined): string | undefined {
    if (left < 0) return '';
    const finish = typeof plan === 'function' ? plan : undefined;
    const rendered = render(template, variables, finish ? longestFinished : left);
    for (const name of rendered.missing) if (missing.size < mostMissing) missing.add(cut(name, longestMissing));
    const text = finish ? finish(rendered.text) : rendered.text;
    left -= text?.length ?? 0;
    return text;
  }

  function fill(value: unknown, plan?: Plan): unknown {
    if (typeof value === 'string') return fillText(value, plan);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => fill(item, Array.isArray(plan) ? plan[0] : undefined));
    const fields = Object.entries(value).map(([name, field]) => [name, fill(field, planFor(plan, name))] as const);
    return Object.fromEntries(fields.filter(([, field]) => field !== undefined));
  }

  return { fill, missing: () => [...missing], isTooLong: () => left < 0 };
}

const planFor = (plan: Plan | undefined, name: string): Plan | undefined =>
  typeof plan === 'object' && !Array.isArray(plan) && Object.hasOwn(plan, name)
    ? (plan as Record<string, Plan>)[name]
    : undefined;

/** Text that a person reads: cut where the platform's limit is. One with nothing to read is empty. */
export const upTo =
  (most: number): Finish =>
  (text) =>
    text.trim() === '' ? '' : cut(text, most);

/** The same for what may be left out. */
export const optionalUpTo =
  (most: number): Finish =>
  (text) =>
    upTo(most)(text) || undefined;

/** Ids of ours, which are made where they are missing. */
export const idOrNone: Finish = (text) => text || undefined;

/** A parameter of a template: the platform refuses empty ones, line breaks, tabs and many spaces. */
export const oneLine =
  (most: number): Finish =>
  (text) =>
    cut(text.replaceAll(/\s+/g, ' ').trim() || '-', most);

/** What cannot stand in an address is escaped, since values are people's words; the rest is the author's own. */
export const link: Finish = (text) => text.trim().replaceAll(/[\s\\"<>^`{|}]/g, encodeURIComponent);
