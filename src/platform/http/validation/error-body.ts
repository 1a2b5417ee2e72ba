import type { ErrorObject } from 'ajv/dist/2020.js';
import type { FieldErrors } from '../../errors.ts';
import { asBody, asEntries, isSentences, type Problem } from './problems.ts';
import type { JsonSchema } from './schemas/plain-schema.ts';
import { withoutNoise } from './schemas/unions.ts';
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
