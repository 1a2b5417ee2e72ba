/** SQL text that makes `$1` accounts for which nothing is to be done, each with a sender, an SMS link, a webhook and all insights. */
export const addIdleAccountsText = `
  with tenant as (
    insert into accounts (uuid, name) select uuidv7(), 'Idle ' || n from generate_series(1, $1::int) as n
    returning uuid
  ), sender as (
    insert into chatapp_accounts (account_id, uuid, chatapp_number, digits, carrier)
    select uuid, uuidv7(), '+447700900001', '447700900001', 'sandbox' from tenant
  ), link as (
    insert into sms_links (account_id, uuid, name, carrier) select uuid, uuidv7(), 'Link', 'sandbox' from tenant
  ), insight as (
    insert into insights_configs (account_id, missed_call_window_minutes, reply_time_target_minutes, digest_due_at)
    select uuid, 60, 60, now() + interval '1 day' from tenant
  )
  insert into webhook_endpoints (account_id, uuid, kind, name, url, events, description, enabled, secret)
  select uuid, uuidv7(), 'CHATAPP', '+447700900001', 'https://example.com/', '{*}', '', true, 'sealed' from tenant`;

/** SQL text that gives each of them a message and an SMS in its queues that are due in a month. */
export const scheduleForLaterText = `
  with message as (
    insert into message_states (account_id, uuid, chatapp_account, status, due_at, ready)
    select account_id, uuidv7(), sender.uuid, 'QUEUED', now() + interval '30 days', false
    from chatapp_accounts as sender join accounts on accounts.uuid = account_id where accounts.name like 'Idle %'
  )
  insert into sms_states (account_id, uuid, status, due_at, ready)
  select account_id, uuidv7(), 'QUEUED', now() + interval '30 days', false
  from sms_links join accounts on accounts.uuid = account_id where accounts.name like 'Idle %'`;
