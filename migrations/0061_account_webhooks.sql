-- Webhooks of the whole account, which may hear of any event, or of those about some numbers, senders and intros.
alter table webhook_endpoints
  drop constraint webhook_endpoints_kind_check,
  add constraint webhook_endpoints_kind_check check (kind in ('CHATAPP', 'NUMBER', 'ACCOUNT', 'CALLBACK')),
  -- As it was written, and in the form that is compared; empty: whatever the event is about
  add column filter json not null default '{}',
  add column heard_numbers text[] not null default '{}',
  add column heard_senders text[] not null default '{}',
  add column heard_intros text[] not null default '{}';
