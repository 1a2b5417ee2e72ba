-- SMS: the links they leave and arrive by, the messages, their parts, and what came for messages nobody knows yet.

create table sms_links (
  account_id          uuid not null references accounts on delete cascade,
  uuid                uuid not null,
  name                text not null,
  -- sandbox or smpp
  carrier             text not null,
  -- How to reach the other side, without what is secret; secrets are sealed with SECRET_KEY
  settings            json not null default '{}',
  secrets             text,
  messages_per_second integer not null default 100,
  -- How much of the traffic it takes, beside the account's other links that are up
  weight              integer not null default 1,
  enabled             boolean not null default true,
  -- How many messages could leave at that moment, as for chat-app accounts
  rate_tokens         double precision not null default 1,
  rate_at             timestamptz not null default now(),
  -- The process that has the connection (the number of its session lock); others stand by
  owner               integer,
  -- What the owner last told of it, for network status
  report              json not null default '{}',
  reported            timestamptz,
  created             timestamptz not null default now(),
  modified            timestamptz not null default now(),
  primary key (account_id, uuid),
  unique (account_id, name)
) with (fillfactor = 50);

-- Names that an account may send from, where the other side allows names.
create table sms_senders (
  account_id uuid not null references accounts on delete cascade,
  uuid       uuid not null,
  sender     text not null,
  created    timestamptz not null default now(),
  primary key (account_id, uuid)
);
create unique index sms_senders_sender on sms_senders (account_id, lower(sender));

-- What was said. Never updated.
create table sms (
  account_id   uuid not null,
  uuid         uuid not null,
  direction    text not null check (direction in ('OUTBOUND', 'INBOUND')),
  -- As the caller wrote them, and what is compared: digits, or a name in small letters
  from_number  text not null,
  to_number    text not null,
  from_digits  text collate "C" not null,
  to_digits    text collate "C" not null,
  text         text not null,
  encoding     text not null,
  segments     smallint not null,
  -- The number's keyword that an inbound text began with
  keyword      text,
  meta_data    json not null default '{}',
  campaign_log uuid,
  created      timestamptz not null default now(),
  primary key (account_id, uuid)
) partition by range (uuid);
create index sms_direction on sms (account_id, direction, uuid);
create index sms_from on sms (account_id, from_digits, uuid);
create index sms_to on sms (account_id, to_digits, uuid);
create index sms_campaign_log on sms (account_id, campaign_log, uuid) where campaign_log is not null;
select ensure_partitions('sms', now() + interval '3 months');

-- Where each one stands and, while QUEUED, its place in the account's queue: any link that is up takes from it.
create table sms_states (
  account_id         uuid not null,
  uuid               uuid not null,
  status             text not null,
  status_description text not null default '',
  -- The link that took it, or has it now; of an inbound one, the link it came by
  link               uuid,
  callback_url       text,
  modified           timestamptz not null default now(),
  -- 0 transactional, 1 campaign
  priority           smallint not null default 0,
  -- -infinity: at once; infinity: the answer never came, and only the receipt can tell
  due_at             timestamptz not null default '-infinity',
  -- Not to be sent, or delivered, after this
  expires_at         timestamptz,
  attempts           smallint not null default 0,
  give_up_at         timestamptz,
  claimed_by         integer,
  claimed_at         timestamptz,
  primary key (account_id, uuid)
) partition by range (uuid);
create index sms_states_status on sms_states (account_id, status, uuid);
create index sms_states_free on sms_states (account_id, priority, due_at, uuid)
  where status = 'QUEUED' and claimed_by is null;
create index sms_states_claimed on sms_states (claimed_by) where claimed_by is not null;
create index sms_states_expiring on sms_states (expires_at) where status = 'QUEUED' and expires_at is not null;
-- Messages whose answer never came, for receipts that nobody else takes up.
create index sms_states_unknown on sms_states (account_id, link, uuid)
  where status = 'QUEUED' and due_at = 'infinity' and claimed_by is null;
select ensure_partitions('sms_states', now() + interval '3 months',
  ' with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0)');

-- The parts that the other side took, each with the id under which its receipt comes.
create table sms_parts (
  account_id uuid not null,
  sms        uuid not null,
  part       smallint not null,
  link       uuid not null,
  -- Normalised: the same id may come back in decimal or hexadecimal
  carrier_id text collate "C" not null,
  -- SENT, DELIVERED or FAILED
  status     text not null default 'SENT',
  primary key (account_id, sms, part)
) partition by range (sms);
create index sms_parts_carrier_id on sms_parts (account_id, link, carrier_id);
select ensure_partitions('sms_parts', now() + interval '3 months', ' with (fillfactor = 70)');

-- Receipts that came before the answer to their submission; taken up when that is stored, dropped after some days.
create table sms_early_receipts (
  account_id  uuid not null,
  link        uuid not null,
  carrier_id  text collate "C" not null,
  status      text not null,
  code        text,
  description text,
  -- Between whom the message was, where the receipt tells: that finds one whose answer, and with it the id, was lost
  from_digits text collate "C",
  to_digits   text collate "C",
  at          timestamptz not null,
  received    timestamptz not null default now()
);
create index sms_early_receipts_carrier_id on sms_early_receipts (account_id, link, carrier_id);
create index sms_early_receipts_received on sms_early_receipts (received);

-- Parts of long inbound messages, until all are there; and a day longer, to know those that come twice.
create table sms_inbound_parts (
  account_id  uuid not null,
  link        uuid not null,
  from_digits text collate "C" not null,
  to_digits   text collate "C" not null,
  reference   integer not null,
  total       smallint not null,
  part        smallint not null,
  -- As the link wrote them
  from_number text not null,
  to_number   text not null,
  text        text not null,
  encoding    text not null,
  -- When it was written, by the link's time
  at          timestamptz not null,
  received    timestamptz not null default now(),
  -- The message they became; null: some are missing
  sms         uuid,
  primary key (account_id, link, from_digits, to_digits, reference, total, part)
);
create index sms_inbound_parts_received on sms_inbound_parts (received);

-- What comes over a link is known by an id of the link's: the same twice is one.
create table sms_inbound_ids (
  account_id uuid not null,
  link       uuid not null,
  carrier_id text collate "C" not null,
  created    timestamptz not null default now(),
  primary key (account_id, link, carrier_id)
);
create index sms_inbound_ids_created on sms_inbound_ids (created);
