import { isUserId } from '../../../platform/phone.ts';
import { isPlausible } from '../../../platform/time/clock.ts';
import type { Person } from '../../ports/inbox.ts';

/**
 * Readers of what came from outside. None throws, whatever it is given: it answers undefined for what is not there, or is not
 * what it should be. What they answer can be stored: no null characters, no half surrogate pairs, no bottomless nesting.
 */
export type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const fieldsOf = (value: unknown): Fields | undefined => (isFields(value) ? value : undefined);
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD');

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? storable(value) : undefined);

/** The platform's names for things; some are printed as numbers. What is longer than any of them could not be indexed. */
const longestId = 512;

export function idOf(value: unknown): string | undefined {
  const id = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : textOf(value);
  return id !== undefined && id.length > 0 && id.length <= longestId ? id : undefined;
}

/** Unix seconds; a text in messages and statuses, a number elsewhere. A moment that cannot be one is none. */
export function momentOf(value: unknown): Date | undefined {
  const seconds = secondsOf(value);
  return seconds !== undefined && isPlausible(seconds * 1000) ? new Date(seconds * 1000) : undefined;
}

function secondsOf(value: unknown): number | undefined {
  const seconds = typeof value === 'string' && /^\d{1,12}$/.test(value) ? Number(value) : value;
  return typeof seconds === 'number' && Number.isInteger(seconds) ? seconds : undefined;
}

/** What is wrong with a moment that is a number, but none that can be; undefined: nothing. */
export const problemWithMoment = (value: unknown): string | undefined =>
  secondsOf(value) === undefined || momentOf(value)
    ? undefined
    : 'Its timestamp is more than a day ahead, or before 2009.';

/** Somebody, by their number without its plus and the platform's id for them; undefined when neither is known. */
export function personOf(waId: unknown, userId: unknown): Person | undefined {
  const digits = /^\+?(\d{5,20})$/.exec(idOf(waId) ?? '')?.[1];
  const id = textOf(userId);
  const person = { number: digits === undefined ? null : `+${digits}`, userId: id && isUserId(id) ? id : null };
  return person.number === null && person.userId === null ? undefined : person;
}

/** Deeper than anything the platform sends, and shallow enough for everybody who handles it later. */
const deepest = 32;

/** A free part of the payload, as it came; what is nested too deeply is null. */
export function kept(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return storable(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === deepest) return null;
  if (Array.isArray(value)) return value.map((item) => kept(item, depth + 1));
  // fromEntries, because it defines a field named __proto__ like any other.
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [storable(key), kept(item, depth + 1)]));
}

export const keptFields = (fields: Fields): Record<string, unknown> => kept(fields) as Record<string, unknown>;

/** Those of the named fields that are there and of this type, as they came. */
export function pick(
  fields: Fields,
  type: 'string' | 'boolean' | 'object',
  names: readonly string[],
): Record<string, unknown> {
  const there = names.filter(
    (name) => Object.hasOwn(fields, name) && typeof fields[name] === type && fields[name] !== null,
  );
  return Object.fromEntries(there.map((name) => [name, kept(fields[name])]));
}

// Sixteen digits or more that stand where a number can stand; that a text looks like it costs time only.
const longInteger = /[:,[]\s*-?\d{16}/;

/** JSON whose whole numbers beyond 2^53 are read as their digits: ids of templates are printed as numbers. */
export function parseExactly(text: string): unknown {
  const plain: unknown = JSON.parse(text);
  if (!longInteger.test(text)) return plain;
  try {
    return JSON.parse(text, digitsOfLong);
  } catch {
    // It was valid a moment ago: it is nested more deeply than the engine can walk, and not the platform's.
    return plain;
  }
}

function digitsOfLong(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  return context?.source !== undefined && /^-?\d+$/.test(context.source) ? context.source : value;
}
