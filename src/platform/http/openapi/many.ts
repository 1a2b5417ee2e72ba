import { type Static, Type } from 'typebox';
import { ApiError, type ErrorCode } from '../../errors.ts';
import { Uuid } from './models.ts';

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
