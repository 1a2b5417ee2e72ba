import { uuidArray } from '../../../platform/db/arrays.ts';
import { type Db, prepared } from '../../../platform/db/connect/pool.ts';
import type { FieldErrors } from '../../../platform/errors.ts';
import { phoneDigits } from '../../../platform/phone.ts';
import type { MessageCreate } from '../schemas.ts';

/** The messages that others name: the one a reaction is about, the one a reply quotes. */

interface Naming {
  accountId: string;
  request: MessageCreate;
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
    case direction when 'OUTBOUND' then from_digits else to_digits end as business_digits,
    case direction when 'OUTBOUND' then to_digits else from_digits end as person_digits
  from messages where (account_id, uuid) in (select * from unnest($1::uuid[], $2::uuid[]))`,
);

/** What is wrong with the messages that these requests name. One query for all of them, none when they name nothing. */
export async function findQuoteErrors<M extends Naming>(db: Db, messages: M[]): Promise<Map<M, FieldErrors>> {
  const naming = messages.flatMap((message) => {
    const uuid = namedBy(message.request);
    return uuid === undefined ? [] : [{ message, uuid: uuid.toLowerCase() }];
  });
  if (naming.length === 0) return new Map();
  const rows = await findNamed(db, [
    uuidArray(naming.map(({ message }) => message.accountId)),
    uuidArray(naming.map(({ uuid }) => uuid)),
  ]);
  const found = new Map(rows.map((row) => [row.account_id + row.uuid, row]));
  const errors = new Map<M, FieldErrors>();
  for (const { message, uuid } of naming) {
    const sentence = problemWith(found.get(message.accountId + uuid), message.request);
    if (sentence) errors.set(message, { [fieldOf(message.request)]: { message_uuid: [sentence] } });
  }
  return errors;
}

const namedBy = (request: MessageCreate): string | undefined =>
  request.type === 'REACTION' ? request.reaction.message_uuid : request.context?.message_uuid;

const fieldOf = ({ type }: MessageCreate): string => (type === 'REACTION' ? 'reaction' : 'context');

function problemWith(named: Named | undefined, request: MessageCreate): string | undefined {
  if (!named) return 'Not found.';
  const isHere =
    named.business_digits === phoneDigits(request.chatapp_number) &&
    named.person_digits === phoneDigits(request.to_chatapp_number);
  if (!isHere) return 'This message is of another conversation.';
  if (request.type === 'REACTION' && named.type === 'REACTION') return 'A reaction cannot be reacted to.';
  return undefined;
}
