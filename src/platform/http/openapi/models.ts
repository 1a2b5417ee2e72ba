import { type Static, type TSchema, Type } from 'typebox';
import type { Page } from '../../db/page.ts';
import { ApiError, type ErrorCode } from '../../errors.ts';
import { languagePattern } from '../../speech/languages.ts';
import { countrySentence } from '../validation/formats.ts';

/** Schemas shared by all operations. A schema's `title` is its name in the OpenAPI document. */

export const Timestamp = (description = 'UTC, ISO 8601 with microseconds.') =>
  Type.String({ description, examples: ['2026-11-15T09:30:00.123456Z'] });

export const Uuid = (description?: string) => Type.String({ format: 'uuid', ...(description && { description }) });

export const UuidParams = Type.Object({ uuid: Uuid() });

/** A free-form JSON object, kept as it came. */
export const FreeForm = (options: object = {}) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, ...options });

/** A phone number as people write it; `platform/phone.ts` reads it. */
export const Phone = (description?: string) =>
  Type.String({ format: 'phone', maxLength: 64, ...(description && { description }) });

/** A country whose code exists: `UK` does not, `GB` does. */
export const CountryCode = (options: { description?: string; 'x-message'?: string } = {}) =>
  Type.String({ format: 'country-code', pattern: '^[A-Z]{2}$', 'x-message': countrySentence, ...options });

/** What a text is spoken in. */
export const Language = (description?: string) =>
  Type.String({
    pattern: languagePattern,
    'x-message': 'Enter a language such as de or pt-BR.',
    examples: ['de'],
    ...(description && { description }),
  });

/** A person to write to: a phone number, or the platform's id of one who hides theirs. */
export const Recipient = (description?: string) =>
  Type.String({ format: 'recipient', maxLength: 140, ...(description && { description }) });

/** The list envelope. */
export const PageOf = <S extends TSchema>(item: S, title: string) =>
  Type.Object(
    {
      count: Type.Integer({ description: 'Exact up to 10,000, an estimate above.' }),
      next: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
      previous: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
      results: Type.Array(item),
    },
    { title },
  );

export const DetailBody = Type.Object(
  { detail: Type.String(), code: Type.String() },
  { title: 'DetailBody', description: 'Any error that is not about a field.' },
);
export type DetailBody = Static<typeof DetailBody>;

export const ErrorsBody = Type.Unsafe<Record<string, unknown>>({
  title: 'ErrorsBody',
  description: 'Errors by field, nested as the request body is nested. `non_field_errors` speaks of the whole object.',
  type: 'object',
  additionalProperties: true,
  examples: [{ chatapp_number: ['This field is required.'] }],
});

export const ValidationError = Type.Unsafe<unknown>({
  title: 'ValidationError',
  description:
    'Errors by field; a list in the request has a list of them, one entry per item; that of a null is sentences alone.',
  anyOf: [ErrorsBody, Type.Array(Type.Unsafe<unknown>({ anyOf: [ErrorsBody, Type.Array(Type.String())] }))],
});

/** Named so here because `Error` is the language's own. */
export const ItemError = Type.Unsafe<unknown>({
  title: 'Error',
  description: 'What a request for this one item would have been answered.',
  anyOf: [DetailBody, ErrorsBody],
});

/** Presents a page of rows: the envelope, with absolute links that keep the other query parameters. */
export function presentPage<Row, Item>(page: Page<Row>, url: URL, present: (row: Row) => Item) {
  const link = (cursor: string | null): string | null => {
    if (cursor === null) return null;
    const target = new URL(url);
    target.searchParams.set('cursor', cursor);
    return target.href;
  };
  return { count: page.count, next: link(page.next), previous: link(page.previous), results: page.rows.map(present) };
}

/** A list that is short enough to be shown whole, in the shape of a page. */
export const presentWhole = <T>(results: T[]) => ({ count: results.length, next: null, previous: null, results });

/** What a request may name at once. */
const mostAtOnce = 1000;

/** Ids in the body of an operation on many objects. */
export const Uuids = (description: string) => Type.Array(Uuid(), { minItems: 1, maxItems: mostAtOnce, description });

export const ManyResult = Type.Object(
  {
    done: Type.Integer({ description: 'How many were changed.' }),
    errors: Type.Array(
      Type.Object(
        {
          uuid: Uuid('The object that was left as it is.'),
          detail: Type.String({ description: 'Why, in words.' }),
          code: Type.String({ description: 'Why, as a word for programs.' }),
        },
        { title: 'ManyError' },
      ),
      { description: 'Those that were not changed, in the order of the request.' },
    ),
  },
  { title: 'ManyResult', description: 'What was done; one that cannot be changed keeps none of the others from it.' },
);
export type ManyResult = Static<typeof ManyResult>;

/** Each id once, as the database writes it. */
export const eachOnce = (uuids: string[]): string[] => [...new Set(uuids.map((uuid) => uuid.toLowerCase()))];

/** The answer: those of `asked` that are not `done` have the code that `why` gives for them, by default that they were not found. */
export function manyResult(
  asked: string[],
  done: string[],
  why: (uuid: string) => ErrorCode = () => 'not_found',
): ManyResult {
  const changed = new Set(done);
  const left = asked.filter((uuid) => !changed.has(uuid));
  return {
    done: changed.size,
    errors: left.map((uuid) => {
      const { message, code } = new ApiError(why(uuid));
      return { uuid, detail: message, code };
    }),
  };
}
