/** The detail keywords of RFC 7644, 3.12. */
export type ScimType = 'invalidFilter' | 'uniqueness' | 'invalidSyntax' | 'invalidPath' | 'invalidValue' | 'mutability';

/** What a SCIM client is answered instead of success. */
export class ScimError extends Error {
  override name = 'ScimError';
  readonly status: number;
  readonly scimType: ScimType | undefined;
  constructor(status: number, detail: string, scimType?: ScimType) {
    super(detail);
    this.status = status;
    this.scimType = scimType;
  }
}

const schema = 'urn:ietf:params:scim:api:messages:2.0:Error';

export const errorBody = (status: number, detail: string, scimType?: ScimType) => ({
  schemas: [schema],
  status: String(status),
  ...(scimType && { scimType }),
  detail,
});

/** `attribute eq "value"`, the one filter that identity providers ask for. */
export interface Filter {
  /** In lower case. */
  attribute: string;
  value: string;
}

const equals = /^\s*([A-Za-z][\w.$:-]*(?:\[[^\]]{0,200}\])?(?:\.\w+)?)\s+eq\s+("(?:[^"\\]|\\.)*")\s*$/i;

/** Reads a filter; `known` are the attributes that can be asked for, in lower case. */
function readFilter(text: unknown, known: readonly string[]): Filter | undefined {
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

type Json = Record<string, unknown>;

interface Place {
  attribute: string;
  /** `[type eq "work"]`: the values that are meant. */
  filter: { attribute: string; value: string } | undefined;
  sub: string | undefined;
}

const path = /^([A-Za-z$][\w$-]*)(?:\[\s*(\w+)\s+eq\s+"((?:[^"\\]|\\.)*)"\s*\])?(?:\.(\w+))?$/i;
const core = /^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i;
const mostOperations = 1000;

/**
 * Does the operations of a PATCH (RFC 7644, 3.5.2) to a resource, as Okta and Entra ID send them: operations in any case, with a path or
 * with an object of attributes, values as lists or alone. What the resource does not have is left out, as they send whatever is mapped.
 */
export function applyPatch(resource: Json, body: unknown): Json {
  const operations = isObject(body) ? (body['Operations'] ?? body['operations']) : undefined;
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > mostOperations) {
    throw new ScimError(400, `Operations must be a list of 1 to ${mostOperations}.`, 'invalidSyntax');
  }
  const changed: Json = structuredClone(resource);
  for (const operation of operations) applyOne(changed, operation);
  return changed;
}

function applyOne(resource: Json, operation: unknown): void {
  if (!isObject(operation)) throw new ScimError(400, 'An operation must be an object.', 'invalidSyntax');
  const { path: at, value } = operation;
  const op = String(operation['op'] ?? '').toLowerCase();
  if (!['add', 'replace', 'remove'].includes(op)) {
    throw new ScimError(400, 'The operations are add, replace and remove.', 'invalidSyntax');
  }
  if (at === undefined || at === null || at === '') {
    if (op === 'remove') throw new ScimError(400, 'Say what to remove: path.', 'invalidPath');
    if (!isObject(value)) throw new ScimError(400, 'Without a path, value must be an object.', 'invalidValue');
    for (const [name, each] of Object.entries(value)) applyAt(resource, op, { at: name, value: each });
    return;
  }
  if (typeof at !== 'string' || at.length > 500) throw new ScimError(400, 'path must be a text.', 'invalidPath');
  applyAt(resource, op, { at, value });
}

function applyAt(resource: Json, op: string, { at, value }: { at: string; value: unknown }): void {
  const place = placeOf(at, resource);
  // An extension, or something else that is not kept.
  if (!place) return;
  const { attribute, filter, sub } = place;
  const current = resource[attribute];
  if (filter) resource[attribute] = withFiltered(listOf(current), op, { filter, sub, value });
  else if (sub !== undefined) resource[attribute] = withSub(isObject(current) ? current : {}, op, { sub, value });
  else if (Array.isArray(current)) resource[attribute] = withValues(current, op, value);
  else if (op === 'remove') delete resource[attribute];
  else resource[attribute] = isObject(current) && isObject(value) ? { ...current, ...value } : value;
}

function placeOf(at: string, resource: Json): Place | undefined {
  const [, given = '', filterName, filterValue, sub] = path.exec(at.replace(core, '')) ?? [];
  if (given === '' || given === '__proto__' || sub === '__proto__') return undefined;
  // Names are the same in any case (RFC 7643, 2.1).
  const known = [...Object.keys(resource), ...settable].find((name) => name.toLowerCase() === given.toLowerCase());
  if (known === undefined || unchangeable.has(known)) return undefined;
  const filter = filterName === undefined ? undefined : { attribute: filterName, value: filterValue ?? '' };
  return { attribute: known, filter, sub };
}
const settable = ['userName', 'externalId', 'displayName', 'active', 'name', 'emails', 'members'];
const unchangeable = new Set(['id', 'meta', 'schemas', 'groups']);

function withFiltered(
  list: Json[],
  op: string,
  { filter, sub, value }: { filter: { attribute: string; value: string }; sub: string | undefined; value: unknown },
): Json[] {
  const isMeant = (one: Json): boolean =>
    String(one[filter.attribute] ?? '').toLowerCase() === filter.value.toLowerCase();
  if (op === 'remove' && sub === undefined) return list.filter((one) => !isMeant(one));
  const change = (one: Json): Json => {
    if (sub === undefined) return { ...one, ...(isObject(value) && value) };
    return withSub(one, op, { sub, value });
  };
  if (list.some(isMeant)) return list.map((one) => (isMeant(one) ? change(one) : one));
  return op === 'remove' ? list : [...list, change({ [filter.attribute]: filter.value })];
}

const withSub = (object: Json, op: string, { sub, value }: { sub: string; value: unknown }): Json =>
  op === 'remove'
    ? Object.fromEntries(Object.entries(object).filter(([name]) => name !== sub))
    : { ...object, [sub]: value };

/** Values of a list are the same if their `value` is. */
function withValues(list: unknown[], op: string, value: unknown): unknown[] {
  const given = value === undefined || value === null ? [] : [value].flat();
  if (op === 'replace') return given;
  const keys = new Set(given.map(keyOf));
  if (op === 'remove') return value === undefined || value === null ? [] : list.filter((one) => !keys.has(keyOf(one)));
  return [...list.filter((one) => !keys.has(keyOf(one))), ...given];
}
const keyOf = (one: unknown): string => String(isObject(one) ? one['value'] : one);

const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
