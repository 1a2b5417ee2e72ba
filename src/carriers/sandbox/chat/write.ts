import type { Db } from '../../../platform/db/connect/pool.ts';
import { isUserId, phoneDigits } from '../../../platform/phone.ts';
import type { InboundMessage, Inbox, Person } from '../../ports/inbox.ts';
import { insertWritten, type WrittenMessage } from '../queries.ts';
import type { Written } from './written.ts';

/** Something written on a phone, addressed and ready to go. */
export interface Letter {
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
