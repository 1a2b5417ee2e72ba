import type { ErrorObject } from 'ajv/dist/2020.js';
import type { FieldErrors } from '../../errors.ts';
import type { JsonSchema } from './plain-schema.ts';
import { hasFields, missingField, type Sentence, sentenceFor } from './sentences.ts';

/** The mistakes at one place of the body, and at the places below it. */
interface Place {
  sentences: Sentence[];
  wantsFields: boolean;
  below: Map<string, Place>;
}

const mostSentences = 1_000;

/** The body of the 400, nested as the request is nested: the mistakes are sorted into a tree, which is written out. */
export function errorBody(errors: ErrorObject[], value: unknown): FieldErrors | FieldErrors[] {
  // DRF's words for it, without a full stop.
  if (value === null) return { non_field_errors: ['No data provided'] };
  const root = newPlace();
  for (const error of withoutNoise(errors).slice(0, mostSentences)) note(root, error);
  return asBody(write(root, value));
}

const newPlace = (): Place => ({ sentences: [], wantsFields: false, below: new Map() });

function note(root: Place, error: ErrorObject): void {
  let place = root;
  const field = fieldNamedBy(error);
  const path = pathOf(error);
  for (const key of field === undefined ? path : [...path, field]) {
    const next = place.below.get(key) ?? newPlace();
    place.below.set(key, next);
    place = next;
  }
  place.sentences.push(sentenceFor(error));
  if (field === undefined && hasFields(error.parentSchema as JsonSchema)) place.wantsFields = true;
}

/** Some mistakes are found at an object and are about one of its fields: missing, unknown, or badly named. */
const fieldNamedBy = (error: ErrorObject): string | undefined =>
  missingField(error) ?? error.propertyName ?? error.params.additionalProperty;

const pathOf = ({ instancePath }: ErrorObject): string[] =>
  instancePath
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));

function write(place: Place, value: unknown): Problem {
  const own = ownSentences(place);
  if (Array.isArray(value) && own.length === 0) return writeList(place, value);
  if (place.below.size === 0) return place.wantsFields && value !== null ? { non_field_errors: own } : own;
  if (Array.isArray(value)) return own;
  const fields: [string, Problem][] = [...place.below].map(([key, below]) => [key, write(below, fieldOf(value, key))]);
  // fromEntries, because it defines a field named __proto__ like any other.
  return Object.fromEntries(own.length > 0 ? [['non_field_errors', own], ...fields] : fields);
}

/** Lists of objects have an entry per item; lists of plain values have their bad items keyed by index. */
function writeList(place: Place, items: unknown[]): Problem {
  const bad = new Map([...place.below].map(([key, below]) => [Number(key), write(below, items[Number(key)])]));
  const ofObjects =
    [...place.below.values()].some((item) => item.wantsFields) || [...bad.values()].some((item) => !isSentences(item));
  return ofObjects ? asEntries(bad, items) : Object.fromEntries(bad);
}

/** The most telling sentences only, each once. */
function ownSentences({ sentences }: Place): string[] {
  const lowest = Math.min(...sentences.map((sentence) => sentence.rank));
  return [...new Set(sentences.filter((sentence) => sentence.rank === lowest).map((sentence) => sentence.text))];
}

const fieldOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;

/** Mistakes that only repeat others: of a tag (its own `enum` speaks), and of keywords that hold other schemas. */
const echoes = new Set(['discriminator', 'if', 'propertyNames']);

/**
 * Leaves, of a union that failed, the mistakes of one variant only. Ajv lists the mistakes of every variant, and after
 * them one for the union itself; so the list is read backwards.
 */
function withoutNoise(errors: ErrorObject[]): ErrorObject[] {
  const kept: ErrorObject[] = [];
  for (let end = errors.length - 1; end >= 0; ) {
    const error = errors[end]!;
    const start = isUnion(error) ? startOf(error, errors, end) : end;
    if (start < end) for (const inner of mostTelling(error, errors.slice(start, end)).reverse()) kept.push(inner);
    else if (!echoes.has(error.keyword)) kept.push(error);
    end = start - 1;
  }
  return kept.reverse();
}

const isUnion = ({ keyword }: ErrorObject): boolean => keyword === 'anyOf' || keyword === 'oneOf';

function startOf(union: ErrorObject, errors: ErrorObject[], end: number): number {
  const isInside = (error: ErrorObject) =>
    error.schemaPath.startsWith(`${union.schemaPath}/`) && error.instancePath.startsWith(union.instancePath);
  let start = end;
  while (start > 0 && isInside(errors[start - 1]!)) start--;
  return start;
}

function mostTelling(union: ErrorObject, errors: ErrorObject[]): ErrorObject[] {
  const branches = union.schema as JsonSchema[];
  const depth = union.schemaPath.length + 1;
  const byBranch = Map.groupBy(errors, (error) => Number.parseInt(error.schemaPath.slice(depth), 10));
  const isAbout = (error: ErrorObject) => error.instancePath === union.instancePath;
  const fits = (found: ErrorObject[]) =>
    !found.some((error) => isAbout(error) && ['type', 'const', 'enum'].includes(error.keyword));
  const candidates = [...byBranch].filter(([index]) => branches[index]?.type !== 'null');
  const best = candidates.find(([, found]) => fits(found)) ?? candidates[0];
  return best ? withoutNoise(best[1]) : [union];
}

/** What is wrong at one place of a body: sentences, or problems by field, or an entry per item of a list of objects. */
export type Problem = FieldErrors[string];

const longestFullList = 1_000;

export const isSentences = (problem: Problem): problem is string[] =>
  Array.isArray(problem) && typeof problem[0] === 'string';

/** The problem as an answer's body, where sentences need a name to stand under. */
export const asBody = (problem: Problem): FieldErrors | FieldErrors[] =>
  isSentences(problem) ? { non_field_errors: problem } : problem;

/** One entry per item, `[{}, {…}]`, as long as the list itself; a very long one ends with its last bad item. */
export function asEntries(bad: Map<number, Problem>, items: readonly unknown[]): FieldErrors[] {
  let { length } = items;
  if (length > longestFullList) {
    length = 0;
    for (const index of bad.keys()) length = Math.max(length, index + 1);
  }
  return Array.from({ length }, (_, index) => asEntry(bad.get(index) ?? {}, items[index]));
}

/** Sentences about an item that is null stand for its entry, as DRF has it; all others need a name. */
function asEntry(problem: Problem, item: unknown): FieldErrors {
  if (!Array.isArray(problem)) return problem;
  return item === null ? (problem as unknown as FieldErrors) : { non_field_errors: problem };
}
