import type { Deps } from '../../../deps.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import type { FieldErrors } from '../../../platform/errors.ts';
import { bodyValidator } from '../../../platform/http/validation/index.ts';
import { findMediaErrors } from '../../media/index.ts';
import { callbackUrlErrors } from '../../webhooks/index.ts';
import { MessageCreate } from '../schemas.ts';
import { errorsAt, filesOf } from './files.ts';
import { interactiveErrors } from './interactive.ts';
import { findQuoteErrors } from './quoted.ts';
import { templateErrors } from './template.ts';

/** The messages of a batch whose content is refused, and why: rules that the schemas cannot say. */
export async function findProblems<M extends { accountId: string; request: MessageCreate; toDigits: string }>(
  deps: Pick<Deps, 'db' | 'caches' | 'guards'>,
  messages: M[],
): Promise<Map<M, FieldErrors>> {
  const problems = await findQuoteErrors(deps, messages);
  for (const [message, errors] of await findFileErrors(deps.db, messages)) problems.set(message, errors);
  for (const message of messages) {
    const errors = errorsOf(message.request) ?? callbackErrors(deps, message.request);
    if (errors) problems.set(message, errors);
  }
  return problems;
}

/** What is wrong with the uploaded files that messages name. One query for all of them, none when they name nothing. */
async function findFileErrors<M extends { accountId: string; request: MessageCreate }>(db: Db, messages: M[]) {
  const uses = messages.flatMap((message) => {
    const { accountId, request } = message;
    const content = request.type === 'TEMPLATE' ? request.template : request;
    return filesOf(request.type, content).map((file) => ({ ...file, message, accountId, content }));
  });
  const sentences = uses.length === 0 ? [] : await findMediaErrors(db, uses);
  const errors = new Map<M, FieldErrors>();
  for (const [index, { message, content, path }] of uses.entries()) {
    if (sentences[index] === undefined || errors.has(message)) continue;
    const found = errorsAt(content, path, sentences[index]);
    errors.set(message, message.request.type === 'TEMPLATE' ? { template: found } : found);
  }
  return errors;
}

function callbackErrors(deps: Pick<Deps, 'guards'>, { callback_url }: MessageCreate): FieldErrors | undefined {
  const errors = callback_url === undefined ? undefined : callbackUrlErrors(deps, callback_url);
  return errors && { callback_url: errors };
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

const check = bodyValidator(MessageCreate);

/** Everything that is wrong with a message which was put together here rather than sent by a caller. */
export function messageErrors(request: unknown): FieldErrors | FieldErrors[] | undefined {
  return check(request) ?? errorsOf(request as MessageCreate);
}
