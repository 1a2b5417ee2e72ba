import { sql } from 'kysely';
import type { Db } from '../../platform/db/connect/pool.ts';
import { eventsOf } from '../timeline/index.ts';

/** SQL of messages that are to be sent on. */

export type WrittenChannel = 'CHATAPP' | 'SMS';

/** A message that came in, as it is sent on. */
export interface Written {
  uuid: string;
  /** Whom they wrote to, and who. */
  number: string;
  numberDigits: string;
  person: string;
  personDigits: string;
  type: string;
  text: string;
  webhooks: string[];
  /** That it came by; null: it is not known any more. */
  carrier: string | null;
  created: string;
}

/** What somebody wrote. Until the transaction ends, nobody else sends it on; undefined: there is no such message any more. */
export async function lockWritten(
  db: Db,
  accountId: string,
  channel: WrittenChannel,
  uuid: string,
): Promise<Written | undefined> {
  if (channel === 'SMS') return (await lockSms(db, accountId, uuid)).rows[0];
  const [row] = (await lockMessage(db, accountId, uuid)).rows;
  if (!row) return undefined;
  const { said, ...written } = row;
  return { ...written, text: textOf(said) };
}

interface Said {
  text?: { body?: string };
  media?: { caption?: string };
  interactive?: { button_reply?: { title?: string }; list_reply?: { title?: string } };
}

const textOf = ({ text, media, interactive }: Said): string =>
  text?.body ?? media?.caption ?? interactive?.button_reply?.title ?? interactive?.list_reply?.title ?? '';

const lockMessage = (db: Db, accountId: string, uuid: string) =>
  sql<Omit<Written, 'text'> & { said: Said }>`
    select message.uuid, message.chatapp_number as number, message.to_digits as "numberDigits",
      message.from_chatapp_number as person,
      message.from_digits as "personDigits", message.type, message.created, '{}'::text[] as webhooks,
      (select carrier from chatapp_accounts as sender where sender.account_id = ${accountId}
        and sender.uuid = message.chatapp_account) as carrier,
      message.message_data as said
    from messages as message
    join message_states as state on state.account_id = message.account_id and state.uuid = message.uuid
    where message.account_id = ${accountId} and message.uuid = ${uuid} and message.direction = 'INBOUND'
    for update of state`.execute(db);

const lockSms = (db: Db, accountId: string, uuid: string) =>
  sql<Written>`
    select sms.uuid, sms.to_number as number, sms.to_digits as "numberDigits", sms.from_number as person, sms.from_digits as "personDigits",
      'TEXT' as type, sms.created, sms.text,
      coalesce((select webhooks from numbers where account_id = ${accountId} and digits = sms.to_digits
        and released_at is null), '{}') as webhooks,
      (select carrier from sms_links as link where link.account_id = ${accountId} and link.uuid = state.link) as carrier
    from sms join sms_states as state on state.account_id = sms.account_id and state.uuid = sms.uuid
    where sms.account_id = ${accountId} and sms.uuid = ${uuid} and sms.direction = 'INBOUND'
    for update of state`.execute(db);

/** Whether it was sent on before, or could not be. */
export async function wasRouted(db: Db, accountId: string, uuid: string): Promise<boolean> {
  const kinds = ['message.routed', 'message.not_routed', 'sms.routed', 'sms.not_routed'];
  const row = await eventsOf(db, accountId, uuid).where('kind', 'in', kinds).limit(1).executeTakeFirst();
  return row !== undefined;
}

/**
 * Whether a number is a business's and no person's. Numbers for SMS have one owner on this server, so that two accounts which
 * send each other's messages on are told from people, too.
 */
export async function isBusiness(db: Db, accountId: string, channel: WrittenChannel, digits: string) {
  const { rows } =
    channel === 'SMS'
      ? await sql`select 1 from numbers where digits = ${digits} and released_at is null`.execute(db)
      : await sql`select 1 from chatapp_accounts where account_id = ${accountId} and digits = ${digits}`.execute(db);
  return rows.length > 0;
}
