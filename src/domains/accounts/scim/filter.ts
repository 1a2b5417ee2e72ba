import { ScimError } from './errors.ts';

/** `attribute eq "value"`, the one filter that identity providers ask for. */
export interface Filter {
  /** In lower case. */
  attribute: string;
  value: string;
}

const equals = /^\s*([A-Za-z][\w.$:-]*(?:\[[^\]]{0,200}\])?(?:\.\w+)?)\s+eq\s+("(?:[^"\\]|\\.)*")\s*$/i;

/** Reads a filter; `known` are the attributes that can be asked for, in lower case. */
export function readFilter(text: unknown, known: readonly string[]): Filter | undefined {
  if (text === undefined || text === '') return undefined;
  const [, name = '', quoted = ''] = (typeof text === 'string' && equals.exec(text)) || [];
  const attribute = name.toLowerCase().replace(/^urn:ietf:params:scim:schemas:core:2\.0:(user|group):/, '');
  const value = textIn(quoted);
  if (value !== undefined && known.includes(attribute)) return { attribute, value };
  throw new ScimError(
    400,
    `The filters that work are: ${known.map((one) => `${one} eq "…"`).join(', ')}.`,
    'invalidFilter',
  );
}

function textIn(quoted: string): string | undefined {
  try {
    const value: unknown = JSON.parse(quoted);
    return typeof value === 'string' && !value.includes('\0') ? value : undefined;
  } catch {
    return undefined;
  }
}

export interface Window {
  startIndex: number;
  count: number;
  filter: Filter | undefined;
  /** Whether members are to be left out. */
  withoutMembers: boolean;
}

const mostCount = 200;
const usualCount = 100;

/** Numbers below what is allowed are taken as the least, and above as the most (RFC 7644, 3.4.2.4). */
export function readWindow(query: Record<string, unknown>, known: readonly string[]): Window {
  const { startIndex, count, filter, excludedAttributes } = query;
  return {
    startIndex: Math.max(1, numberOf(startIndex, 'startIndex') ?? 1),
    count: Math.min(mostCount, Math.max(0, numberOf(count, 'count') ?? usualCount)),
    filter: readFilter(filter, known),
    withoutMembers: String(excludedAttributes ?? '')
      .toLowerCase()
      .split(',')
      .some((one) => one.trim() === 'members'),
  };
}

function numberOf(given: unknown, name: string): number | undefined {
  if (given === undefined || given === '') return undefined;
  if (typeof given !== 'string' || !/^-?\d{1,9}$/.test(given))
    throw new ScimError(400, `${name} must be a number.`, 'invalidValue');
  return Number(given);
}
