-- Flows: forms inside a chat. Ours and those that the business account has on the platform anyway.

create table flows (
  account_id         uuid not null references accounts on delete cascade,
  uuid               uuid not null,
  chatapp_account    uuid not null,
  chatapp_number     text not null,
  digits             text collate "C" not null,
  name               text collate "C" not null,
  -- As the platform has it: DRAFT, PUBLISHED, DEPRECATED, THROTTLED, BLOCKED
  status             text collate "C" not null default 'DRAFT',
  -- Where it is to go; null: it is there, or will not get there
  wanted_status      text,
  category           text collate "C" not null,
  categories         text[] not null,
  -- The flow's JSON; null: made elsewhere, or to be drawn there
  definition         json,
  -- The platform's id; null: it does not have it yet
  flow_id            text collate "C",
  -- The name under which its creation was begun: after a lost answer it is recognised by it
  begun_as           text,
  -- Name and category as the platform has them
  is_described       boolean not null default false,
  validation_errors  json not null default '[]',
  -- Why the platform refused the last change
  status_description text not null default '',
  -- How often it was changed here, and which of the changes have been carried out
  revision           integer not null default 1,
  submitted          integer not null default 0,
  -- A worker is about to carry out changes until then
  claimed_until      timestamptz,
  created            timestamptz not null default now(),
  modified           timestamptz not null default now(),
  primary key (account_id, uuid),
  foreign key (account_id, chatapp_account) references chatapp_accounts on delete cascade
);
-- One that is no more leaves its name to others.
create unique index flows_name on flows (account_id, chatapp_account, name) where status <> 'DEPRECATED';
create index flows_flow_id on flows (account_id, chatapp_account, flow_id);
create index flows_unsubmitted on flows (modified) where submitted < revision;
-- One index per filter of the list.
create index flows_digits on flows (account_id, digits, uuid);
create index flows_status on flows (account_id, status, uuid);
create index flows_category on flows (account_id, category, uuid);
create index flows_name_begin on flows (account_id, lower(name), uuid);
