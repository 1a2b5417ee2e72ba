-- Content that is encrypted at rest for the accounts that want it. Columns that may hold it are of the types json, varchar and bytea, which
-- connections open as they read them; from text to varchar nothing is written anew.
alter table accounts add column encrypt_content boolean not null default false;

alter table sms alter column text type varchar;
alter table sms_inbound_parts alter column text type varchar;
alter table webhook_deliveries alter column payload type varchar;

-- Accounts that ever turned it on or off, and how far what was stored before has been brought along.
create table content_passes (
  account_id uuid primary key references accounts (uuid) on delete cascade,
  encrypt boolean not null,
  -- When it was turned on or off, which begins a pass
  turned timestamptz not null,
  -- The place the pass is at, and the key of the last row seen there
  place text not null default '',
  after text[] not null default '{}',
  changed bigint not null default 0,
  finished timestamptz
);
