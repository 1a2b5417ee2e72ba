/**
 * SQL text that makes `$1` accounts for which nothing is to be done, each with a sender, a session that is open and quiet since a day,
 * the id of a message from then, an SMS link, a webhook and all insights.
 */
export const addIdleAccountsText = `
  with tenant as (
    insert into accounts (uuid, name) select uuidv7(), 'Idle ' || n from generate_series(1, $1::int) as n
    returning uuid
  ), sender as (
    insert into chatapp_accounts (account_id, uuid, chatapp_number, digits, carrier)
    select uuid, uuidv7(), '+447700900001', '447700900001', 'sandbox' from tenant
    returning account_id, uuid
  ), session as (
    insert into intro_sessions (account_id, uuid, chat_intro, chatapp_account, aparty_number, aparty_digits, status, intro,
      variables, flow_token, started_at, last_activity_at)
    select account_id, uuidv7(), uuidv7(), uuid, '+447700900555', '447700900555', 'NOTIFIED', '{}', '{}', '',
      now() - interval '1 day', now() - interval '1 day' from sender
  ), inbound as (
    insert into inbound_ids (account_id, chatapp_account, carrier_id, message, created)
    select account_id, uuid, 'idle', uuidv7(), now() - interval '1 day' from sender
  ), link as (
    insert into sms_links (account_id, uuid, name, carrier) select uuid, uuidv7(), 'Link', 'sandbox' from tenant
  ), insight as (
    insert into insights_configs (account_id, missed_call_window_minutes, reply_time_target_minutes, digest_due_at)
    select uuid, 60, 60, now() + interval '1 day' from tenant
  )
  insert into webhook_endpoints (account_id, uuid, kind, name, url, events, description, enabled, secret)
  select uuid, uuidv7(), 'CHATAPP', '+447700900001', 'https://example.com/', '{*}', '', true, 'sealed' from tenant`;

/** SQL text that gives each of them a message and an SMS in its queues that are due in a month, and a reminder in its session for tomorrow. */
export const scheduleForLaterText = `
  with session as (
    update intro_sessions set notify_due_at = now() + interval '1 day'
    where account_id in (select uuid from accounts where name like 'Idle %')
  ), message as (
    insert into message_states (account_id, uuid, chatapp_account, status, due_at, ready)
    select account_id, uuidv7(), sender.uuid, 'QUEUED', now() + interval '30 days', false
    from chatapp_accounts as sender join accounts on accounts.uuid = account_id where accounts.name like 'Idle %'
  )
  insert into sms_states (account_id, uuid, status, due_at, ready)
  select account_id, uuidv7(), 'QUEUED', now() + interval '30 days', false
  from sms_links join accounts on accounts.uuid = account_id where accounts.name like 'Idle %'`;
