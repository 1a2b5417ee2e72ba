import type { Db } from '../../../platform/db/connect/pool.ts';
import type { Inbox } from '../../ports/inbox.ts';
import type { SmsEvent } from '../../ports/sms.ts';
import { insertWritten, smsType } from '../queries.ts';

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
