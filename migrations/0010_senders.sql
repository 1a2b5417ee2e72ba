-- Chat-app accounts on carriers other than the sandbox: what the carrier calls them, and the secrets to act for them.

alter table chatapp_accounts
  -- The carrier's ids of the number and of the business account it belongs to; events from outside name the sender by them
  add column phone_number_id     text,
  add column business_account_id text,
  add column app_id              text,
  -- {"access_token": …} sealed with SECRET_KEY
  add column secrets             text,
  -- How good the platform finds the number: GREEN, YELLOW, RED, UNKNOWN
  add column quality             text not null default 'UNKNOWN';

create index chatapp_accounts_phone_number_id on chatapp_accounts (account_id, phone_number_id)
  where phone_number_id is not null;
create index chatapp_accounts_business_account_id on chatapp_accounts (account_id, business_account_id)
  where business_account_id is not null;
-- A callback from outside has the uuid alone.
create unique index chatapp_accounts_uuid on chatapp_accounts (uuid);
