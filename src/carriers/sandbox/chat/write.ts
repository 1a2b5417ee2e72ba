import type { Db } from '../../../platform/db/connect/pool.ts';
import { ValidationError } from '../../../platform/errors.ts';
import { isUserId, phoneDigits } from '../../../platform/phone.ts';
import type { InboundMessage, Inbox, Person } from '../../ports/inbox.ts';
import type { PhoneRow } from '../phone/phone.ts';
import {
  type DueRow,
  findOnPhone,
  insertWritten,
  readLatest,
  readOnPhones,
  smsType,
  type WrittenMessage,
} from '../queries.ts';
import type { PersonMessage } from '../schemas.ts';
import { stepOf } from '../steps.ts';
import {
  type Choice,
  choicesOf,
  filledFlow,
  flowOf,
  location,
  media,
  quoting,
  reaction,
  tap,
  text,
  type Written,
} from './replies.ts';

const contents = ['text', 'button', 'list', 'flow', 'media', 'location', 'reaction'] as const;

/** How far back a tap is looked for that does not say which message it is on. */
const mostRemembered = 50;

/** What a person wrote, with the message it answers: the one they name, or the latest that offers what they tapped. */
export async function compose(db: Db, accountId: string, request: PersonMessage): Promise<Written> {
  const [kind, another] = contents.filter((name) => request[name] !== undefined);
  if (!kind || another) throw new ValidationError({ non_field_errors: [`Give one of ${contents.join(', ')}.`] });
  const quoted = await findNamed(db, accountId, request);
  const latest = async (fits: (message: PhoneRow) => boolean): Promise<PhoneRow | undefined> =>
    quoted ?? (await readChat(db, accountId, request)).find(fits);
  const { button, list, flow } = request;
  if (button) return tapOn('button_reply', button, latest);
  if (list) return tapOn('list_reply', list, latest);
  if (flow) {
    const asked = await latest((message) => flowOf(message) !== undefined);
    const token = (asked && flowOf(asked)?.token) ?? flow.flow_token ?? 'unused';
    return quoting(filledFlow({ token, answers: flow.answers }), asked);
  }
  return request.reaction ? reaction(request.reaction.emoji, quoted!.uuid) : quoting(plain(request), quoted);
}

async function tapOn(
  kind: Choice['kind'],
  { id, ...words }: { id: string; title?: string; description?: string },
  latest: (fits: (message: PhoneRow) => boolean) => Promise<PhoneRow | undefined>,
): Promise<Written> {
  const offered = (message: PhoneRow) => choicesOf(message).find((choice) => choice.kind === kind && choice.id === id);
  const message = await latest((message) => offered(message) !== undefined);
  return quoting(tap({ kind, id, title: id, ...(message && offered(message)), ...words }), message);
}

function plain(request: PersonMessage): Written {
  if (request.text) return text(request.text.body);
  if (request.location) return location(request.location);
  const { type, ...file } = request.media!;
  return media(type, file);
}

/** The message that a request names: it must be on this phone, in this conversation. */
async function findNamed(db: Db, accountId: string, request: PersonMessage): Promise<PhoneRow | undefined> {
  const field = request.reaction ? 'reaction' : 'context';
  const uuid = request[field]?.message_uuid;
  if (uuid === undefined) return undefined;
  const found = await findOnPhone(db, accountId, request.from, uuid);
  const problem = problemWith(found, request);
  if (problem) throw new ValidationError({ [field]: { message_uuid: [problem] } });
  return found;
}

function problemWith(named: PhoneRow | undefined, request: PersonMessage): string | undefined {
  if (!named) return 'There is no such message on this phone.';
  if (!isWith(request.to)(named)) return 'This message is of another conversation.';
  return request.reaction && named.type === 'REACTION' ? 'A reaction cannot be reacted to.' : undefined;
}

/** What a business number sent to the phone lately, the latest first. */
async function readChat(db: Db, accountId: string, { from, to }: PersonMessage): Promise<PhoneRow[]> {
  const latest = await readLatest(db, accountId, from, mostRemembered);
  return latest.filter(isWith(to)).filter(({ direction }) => direction === 'OUTBOUND');
}

const isWith =
  (number: string) =>
  (message: PhoneRow): boolean =>
    phoneDigits(message.chatapp_number) === phoneDigits(number);

/** Something written on a phone, addressed and ready to go. */
interface Letter {
  /** The same letter twice has the same. */
  id: string;
  from: string;
  to: string;
  name: string;
  at: Date;
  written: Written;
}

/**
 * Brings letters to an account's inbox, then puts what became of them on the phones they were written on. Either may be
 * repeated after a crash: the inbox knows a letter by its id, the phone by the message's.
 */
export async function write(
  { db, inbox }: { db: Db; inbox: Inbox },
  accountId: string,
  letters: Letter[],
): Promise<object[]> {
  const messages = (await inbox.receive(accountId, 'sandbox', letters.map(eventOf))) as WrittenMessage[];
  await insertWritten(db, accountId, messages);
  return messages;
}

const eventOf = ({ id, from, to, name, at, written }: Letter): InboundMessage => ({
  kind: 'message',
  sender: { number: to },
  id,
  from: personOf(from),
  name,
  type: written.type,
  content: written.content,
  ...(written.quotes !== undefined && { quotes: { uuid: written.quotes } }),
  context: {},
  at,
});

const personOf = (from: string): Person =>
  isUserId(from) ? { number: null, userId: from } : { number: `+${phoneDigits(from)}`, userId: null };

/** The person's reply that is due, if this step is one. */
const replyOf = (row: DueRow) => {
  const step = stepOf(row);
  return step && 'reply' in step ? step.reply : undefined;
};

/** Of a chat; SMS have their own way. */
export const isReply = (row: DueRow): boolean => row.type !== smsType && replyOf(row) !== undefined;

/** Writes the replies that are due, account by account. */
export async function writeReplies(deps: { db: Db; inbox: Inbox }, due: DueRow[]): Promise<void> {
  for (const [accountId, rows] of Map.groupBy(due, (row) => row.account_id)) {
    const letters = await lettersFor(deps.db, accountId, rows);
    if (letters.length > 0) await write(deps, accountId, letters);
  }
}

async function lettersFor(db: Db, accountId: string, rows: DueRow[]): Promise<Letter[]> {
  const read = await readOnPhones(
    db,
    accountId,
    rows.map((row) => row.message),
  );
  const messages = new Map(read.map((message) => [message.uuid, message]));
  return rows.flatMap((row) => {
    const message = messages.get(row.message)!;
    const written = replyOf(row)?.(message);
    if (!written) return [];
    // The same step of the same message is the same letter, however often it is tried.
    const id = `${row.id}:${row.step}`;
    return [
      { id, from: message.phone_number, to: message.chatapp_number, name: '', at: new Date(row.due_at), written },
    ];
  });
}
