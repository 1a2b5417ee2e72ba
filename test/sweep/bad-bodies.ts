import fc from 'fast-check';
import { anyCharacter } from '../kit/characters.ts';

type Path = (string | number)[];
type Fields = Record<string | number, unknown>;

const nested = (depth: number, wrap: (inner: unknown) => unknown): unknown => {
  let value: unknown = 'deep';
  for (let level = 0; level < depth; level++) value = wrap(value);
  return value;
};

/** A field of that name, which an object literal cannot have. */
const proto = '{"__proto__":{"x":1}}';

/** Values that are wrong almost anywhere, and some that are wrong only for a reader who trusts them. */
const junk: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, [], {}, [null], [[]], [{}], { '': '' }, '', ' ', 'NO_SUCH_CHOICE'),
  fc.constantFrom(0, -1, 1.5, 3, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, 5e-324),
  // What PostgreSQL cannot store: as a text, and as a name.
  fc.constantFrom('\u0000', 'a\u0000b', '\ud800', 'a\udfff'),
  fc.constantFrom<unknown>(['\u0000'], { a: '\u0000' }, { '\u0000': 1 }, { '\ud800': 'x' }),
  fc.constantFrom('0001-01-01T00:00:00Z', '2020-01-01T00:00:00Z', '9999-12-31T23:59:60Z', 'infinity', '2026-02-30'),
  fc.constantFrom('\uffff', '\u202e', "'; --", '%00', '{{x}}', '../../etc', 'http://[', 'javascript:alert(1)', '24:00'),
  fc.constantFrom('x'.repeat(100_000), '9'.repeat(400), '😀'.repeat(3_000), '5', 'true', 'null', JSON.parse(proto)),
  fc.constantFrom(
    nested(200, (inner) => [inner]),
    nested(200, (inner) => ({ inner })),
    Array.from({ length: 2_000 }, (_, index) => index),
    Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`field${index}`, index])),
  ),
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.double(),
  fc.jsonValue({ maxDepth: 4 }),
);

/**
 * Request bodies to break an operation with: the documented example with up to three places dropped or replaced, at any
 * depth, or set in a field that the example leaves out; and now and then any JSON at all.
 */
export function badBodies(example: unknown, documentedFields: string[]): fc.Arbitrary<unknown> {
  const places = placesOf(example, documentedFields);
  const change = fc.record({
    path: fc.constantFrom(...places),
    value: fc.oneof({ weight: 1, arbitrary: fc.constant(undefined) }, { weight: 4, arbitrary: junk }),
  });
  // Mostly one change alone: a second mistake would hide the first from whatever comes after the check of the body.
  const changes = fc.oneof(
    { weight: 4, arbitrary: fc.tuple(change) },
    { weight: 1, arbitrary: fc.array(change, { minLength: 2, maxLength: 3 }) },
  );
  const changed = changes.map((all) =>
    all.reduce((body, { path, value }) => changedAt(body, path, value), structuredClone(example)),
  );
  return fc.oneof({ weight: 6, arbitrary: changed }, { weight: 1, arbitrary: junk });
}

/** The example with a text that PostgreSQL cannot store, once in every place and every field. */
export const unstorableBodies = (example: unknown, documentedFields: string[]): unknown[] =>
  placesOf(example, documentedFields).flatMap((path) =>
    ['a\u0000b', 'a\ud800'].map((text) => changedAt(structuredClone(example), path, text)),
  );

const placesOf = (example: unknown, documentedFields: string[]): Path[] => [
  ...pathsOf(example),
  ...documentedFields.map((name) => [name]),
];

/** The way to every value in a body, the body itself first. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return [path, ...keys.flatMap((key) => pathsOf((value as Fields)[key], [...path, key]))];
}

/** The body with another value at that place; undefined drops it. A place that an earlier change took away stays away. */
function changedAt(body: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  if (typeof body !== 'object' || body === null) return body;
  const copy = (Array.isArray(body) ? [...body] : { ...body }) as Fields;
  const inner = changedAt(copy[key], rest, value);
  if (inner === undefined && !Array.isArray(copy)) delete copy[key];
  else copy[key] = inner;
  return copy;
}
