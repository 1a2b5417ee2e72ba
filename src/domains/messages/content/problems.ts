import type { Db } from '../../../platform/db/pool.ts';
import type { FieldErrors } from '../../../platform/errors.ts';
import type { MessageCreate } from '../schemas.ts';
import { interactiveErrors } from './interactive.ts';
import { findQuoteErrors } from './quoted.ts';
import { templateErrors } from './template.ts';

/** The messages of a batch whose content is refused, and why: rules that the schemas cannot say. */
export async function findProblems<M extends { accountId: string; request: MessageCreate }>(
  db: Db,
  messages: M[],
): Promise<Map<M, FieldErrors>> {
  const problems = await findQuoteErrors(db, messages);
  for (const message of messages) {
    const errors = errorsOf(message.request);
    if (errors) problems.set(message, errors);
  }
  return problems;
}

function errorsOf(request: MessageCreate): FieldErrors | undefined {
  switch (request.type) {
    case 'INTERACTIVE':
      return under('interactive', interactiveErrors(request.interactive));
    case 'TEMPLATE':
      return under('template', templateErrors(request.template));
    case 'REACTION':
      // The platform refuses it: a reaction is about its message, it does not quote one.
      return request.context && { context: ['A reaction takes no context.'] };
    default:
      return undefined;
  }
}

const under = (field: string, errors: FieldErrors | undefined): FieldErrors | undefined =>
  errors && { [field]: errors };
