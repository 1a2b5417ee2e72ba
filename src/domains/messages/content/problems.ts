import type { Deps } from '../../../deps.ts';
import { uuidArray } from '../../../platform/db/arrays.ts';
import { type Db, prepared } from '../../../platform/db/connect/pool.ts';
import type { FieldErrors } from '../../../platform/errors.ts';
import { bodyValidator } from '../../../platform/http/validation/index.ts';
import { readPhones } from '../../accounts/index.ts';
import { findMediaErrors } from '../../media/index.ts';
import { callbackUrlErrors } from '../../webhooks/index.ts';
import { MessageCreate } from '../schemas.ts';
import { errorsAt, filesOf } from './files.ts';
import { interactiveErrors } from './interactive.ts';
import { templateErrors } from './template.ts';

/** The messages of a batch whose content is refused by rules that schemas cannot express, and why. */
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
      // The platform refuses a context here: a reaction names its message already, and quotes none.
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

/** The messages that others name: the one a reaction is about, the one a reply quotes. */

interface Naming {
  accountId: string;
  request: MessageCreate;
  toDigits: string;
}

interface Named {
  account_id: string;
  uuid: string;
  type: string;
  business_digits: string;
  person_digits: string;
}

const findNamed = prepared<Named>(
  'messages.named',
  `select account_id, uuid, type,
    case when direction = 'OUTBOUND' then from_digits else to_digits end as business_digits,
    case when direction = 'OUTBOUND' then to_digits else from_digits end as person_digits
  from messages where (account_id, uuid) in (select * from unnest($1::uuid[], $2::uuid[]))`,
);

/** What is wrong with the messages that these requests name. One query for all of them, none when they name nothing. */
async function findQuoteErrors<M extends Naming>(
  deps: Pick<Deps, 'db' | 'caches'>,
  messages: M[],
): Promise<Map<M, FieldErrors>> {
  const naming = messages.flatMap((message) => {
    const uuid = namedBy(message.request);
    return uuid === undefined ? [] : [{ message, uuid: uuid.toLowerCase() }];
  });
  if (naming.length === 0) return new Map();
  const senders = await readPhones(
    deps,
    naming.map(({ message: { accountId, request } }) => ({ accountId, number: request.chatapp_number })),
  );
  const rows = await findNamed(deps.db, [
    uuidArray(naming.map(({ message }) => message.accountId)),
    uuidArray(naming.map(({ uuid }) => uuid)),
  ]);
  const found = new Map(rows.map((row) => [row.account_id + row.uuid, row]));
  const errors = new Map<M, FieldErrors>();
  for (const [index, { message, uuid }] of naming.entries()) {
    const sentence = problemWith(found.get(message.accountId + uuid), message, senders[index]!);
    if (sentence) errors.set(message, { [fieldOf(message.request)]: { message_uuid: [sentence] } });
  }
  return errors;
}

const namedBy = (request: MessageCreate): string | undefined =>
  request.type === 'REACTION' ? request.reaction.message_uuid : request.context?.message_uuid;

const fieldOf = ({ type }: MessageCreate): string => (type === 'REACTION' ? 'reaction' : 'context');

function problemWith(named: Named | undefined, { request, toDigits }: Naming, sender: string): string | undefined {
  if (!named) return 'Not found.';
  const isHere = named.business_digits === sender && named.person_digits === toDigits;
  if (!isHere) return 'This message is of another conversation.';
  if (request.type === 'REACTION' && named.type === 'REACTION') return 'A reaction cannot be reacted to.';
  return undefined;
}
