import type { Db } from '../../../platform/db/connect/pool.ts';
import type { Inbox } from '../../ports/inbox.ts';
import { type DueRow, readOnPhones, smsType } from '../queries.ts';
import { stepOf } from '../steps.ts';
import { type Letter, write } from './write.ts';

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
