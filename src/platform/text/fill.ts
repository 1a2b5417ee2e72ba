import { cut } from './cut.ts';
import { render } from './render.ts';

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
