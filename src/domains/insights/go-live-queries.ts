import { sql } from 'kysely';
import type { Db } from '../../platform/db/connect/pool.ts';

/** What an account has besides the sandbox, and whether it was seen to work. */
export interface Standing {
  chat_connected: boolean;
  chat_verified: boolean;
  chat_tested: boolean;
  sms_connected: boolean;
  sms_verified: boolean;
  sms_tested: boolean;
  voice_tested: boolean;
  number: boolean;
  webhook_connected: boolean;
  webhook_verified: boolean;
}

/** So many of the latest are looked at, for each sender or account: what was tried once is behind much traffic, and counts no more. */
const recent = 200;

/**
 * One statement, a bounded number of rows by indexes alone. A sender that moved from the sandbox has a history there: what the
 * sandbox has does not count.
 */
export async function readStanding(db: Db, accountId: string): Promise<Standing> {
  const { rows } = await sql<Standing>`
    with senders as materialized (
      select uuid from chatapp_accounts where account_id = ${accountId} and carrier <> 'sandbox'
    ), told as materialized (
      select latest.direction, state.status from senders cross join lateral (
        select message.uuid, message.direction from messages as message
        where message.account_id = ${accountId} and message.chatapp_account = senders.uuid
        order by message.uuid desc limit ${recent}) as latest
      join message_states as state on state.account_id = ${accountId} and state.uuid = latest.uuid
      where not exists (
        select from sandbox_messages as tried where tried.account_id = ${accountId} and tried.message = latest.uuid)
    ), links as materialized (
      select uuid, owner is not null and report ->> 'state' = 'UP' as is_up
      from sms_links where account_id = ${accountId} and carrier <> 'sandbox' and enabled
    )
    select
      exists (select from senders) as chat_connected,
      exists (select from told where direction = 'INBOUND') as chat_verified,
      exists (select from told where status in ('DELIVERED', 'READ')) as chat_tested,
      exists (select from links) as sms_connected,
      exists (select from links where is_up) as sms_verified,
      exists (
        select from (values ('SENT'), ('DELIVERED')) as wanted (status) cross join lateral (
          select state.link from sms_states as state
          where state.account_id = ${accountId} and state.status = wanted.status
          order by state.uuid desc limit ${recent}) as latest
        where latest.link in (select uuid from links)
      ) as sms_tested,
      exists (
        select from (
          select carrier from calls where account_id = ${accountId} and result = 'ANSWERED'
          order by uuid desc limit ${recent}) as latest
        where latest.carrier <> 'sandbox'
      ) as voice_tested,
      exists (
        select from numbers where account_id = ${accountId} and released_at is null and carrier <> 'sandbox'
      ) as number,
      exists (
        select from webhook_endpoints where account_id = ${accountId} and kind <> 'CALLBACK' and enabled
      ) as webhook_connected,
      exists (
        select from webhook_deliveries where account_id = ${accountId} and status = 'SUCCEEDED'
      ) as webhook_verified`.execute(db);
  return rows[0]!;
}
