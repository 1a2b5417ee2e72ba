import type { Db } from '../../../platform/db/connect/pool.ts';
import { ValidationError } from '../../../platform/errors.ts';
import { phoneDigits } from '../../../platform/phone.ts';
import type { PhoneRow } from '../phone/phone.ts';
import { findOnPhone, readLatest } from '../queries.ts';
import type { PersonMessage } from '../schemas.ts';
import { choicesOf, flowOf } from './offers.ts';
import { type Choice, filledFlow, location, media, quoting, reaction, tap, text, type Written } from './written.ts';

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
