import type { Db } from '../../../platform/db/connect/pool.ts';
import { segmentText } from '../../../platform/sms-text/index.ts';
import type { Inbox } from '../../ports/inbox.ts';
import type { SmsEvent } from '../../ports/sms.ts';
import { type DueRow, insertWritten, readOnPhones, smsType } from '../queries.ts';
import { stepOf } from '../steps.ts';
import { partId, type TakenSms } from './sms.ts';

type ReceiptEvent = Extract<SmsEvent, { kind: 'receipt' }>;
type OnPhone = Awaited<ReturnType<typeof readOnPhones>>[number];

/** Reports what became of SMS, and writes what people answer, account by account. */
export async function reportSms(deps: { db: Db; inbox: Inbox }, due: DueRow[]): Promise<void> {
  for (const [accountId, rows] of Map.groupBy(due, (row) => row.account_id)) await reportAccount(deps, accountId, rows);
}

async function reportAccount(deps: { db: Db; inbox: Inbox }, accountId: string, rows: DueRow[]): Promise<void> {
  const read = await readOnPhones(
    deps.db,
    accountId,
    rows.map((row) => row.message),
  );
  const phones = new Map(read.map((message) => [message.uuid, message]));
  const receipts = rows.flatMap((row) => receiptsOf(row, phones.get(row.message)!.content as TakenSms));
  if (receipts.length > 0) await deps.inbox.receiveSms(accountId, 'sandbox', receipts);
  const replies = rows.flatMap((row) => replyTo(row, phones.get(row.message)!));
  if (replies.length > 0) await writeSms(deps, accountId, replies);
}

/** One for each part of the message. */
function receiptsOf(row: DueRow, { parts, expires_at }: TakenSms): ReceiptEvent[] {
  const step = stepOf(row);
  if (!step || !('status' in step) || step.status === 'READ') return [];
  const at = new Date(row.due_at);
  const isLate = step.status === 'DELIVERED' && expires_at !== null && Date.parse(expires_at) < at.getTime();
  const { status, code, description } = isLate ? expired : { ...step, status: step.status };
  return parts.map((part) => ({
    kind: 'receipt',
    id: partId(row.id, part),
    status,
    ...(code && { code }),
    ...(description && { description }),
    about: { uuid: row.message, part },
    at,
  }));
}

const expired = {
  status: 'FAILED',
  code: 'EXPIRED',
  description: 'The message could not be delivered in time.',
} as const;

function replyTo(row: DueRow, message: OnPhone) {
  const step = stepOf(row);
  const written = step && 'reply' in step ? step.reply(message) : undefined;
  if (!written) return [];
  const text = (written.content as { text: { body: string } }).text.body;
  const { phone_number: from, chatapp_number: to } = message;
  // The same step of the same message is the same answer, however often it is tried.
  return [smsFrom({ id: `${row.id}:${row.step}`, from, to, text, at: new Date(row.due_at) })];
}

/** Something that a person wrote. */
export const smsFrom = (sms: { id: string; from: string; to: string; text: string; at: Date }) => ({
  kind: 'message' as const,
  ...sms,
  encoding: segmentText(sms.text).encoding,
});

/** An SMS as the API shows it. */
interface ShownSms {
  uuid: string;
  from: string;
  to: string;
  text: string;
}

/** Brings SMS to an account's inbox, then puts them on the phones they were written on. Either may be repeated, as in `write.ts`. */
export async function writeSms(
  { db, inbox }: { db: Db; inbox: Inbox },
  accountId: string,
  messages: Extract<SmsEvent, { kind: 'message' }>[],
): Promise<object[]> {
  const shown = (await inbox.receiveSms(accountId, 'sandbox', messages)) as ShownSms[];
  await insertWritten(
    db,
    accountId,
    shown.map(({ uuid, from, to, text }) => ({
      uuid,
      type: smsType,
      chatapp_number: to,
      from_chatapp_number: from,
      message_data: { text },
    })),
  );
  return shown;
}
