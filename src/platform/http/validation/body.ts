import type { TSchema } from 'typebox';
import type { FieldErrors } from '../../errors.ts';
import { errorBody } from './error-body.ts';
import { compile } from './schemas/compile.ts';
import { lazily } from './schemas/lazily.ts';

/**
 * Compiles the schema of a request body; `coercion` has read it before. Null for a valid body, else the body of the 400. With the country
 * of the account, numbers that cannot exist there are refused.
 */
export function bodyValidator(
  schema: TSchema,
): (body: unknown, country?: string) => FieldErrors | FieldErrors[] | null {
  const check = lazily(() => compile(schema));
  return (body, country) => {
    const errors = check(body, country);
    return errors.length === 0 ? null : errorBody(errors, body);
  };
}
