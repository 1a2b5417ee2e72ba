import type { Deps } from '../../../deps.ts';
import { uuidArray } from '../../../platform/db/arrays.ts';
import { prepared } from '../../../platform/db/connect/pool.ts';
import type { FieldErrors } from '../../../platform/errors.ts';
import { readPhones } from '../../accounts/index.ts';
import type { MessageCreate } from '../schemas.ts';

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
export async function findQuoteErrors<M extends Naming>(
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
