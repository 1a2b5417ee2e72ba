import type { TSchema } from 'typebox';
import type { FieldErrors } from '../../errors.ts';
import { errorBody } from './error-body.ts';
import { compile } from './schemas/compile.ts';
import { lazily } from './schemas/lazily.ts';

/** Compiles the schema of a request body; types are not guessed. Null for a valid body, else the body of the 400. */
export function bodyValidator(schema: TSchema): (body: unknown) => FieldErrors | FieldErrors[] | null {
  const check = lazily(() => compile(schema));
  return (body) => {
    const errors = check(body);
    return errors.length === 0 ? null : errorBody(errors, body);
  };
}
