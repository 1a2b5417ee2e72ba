-- Chat-app accounts (the numbers a business sends from), message templates, messages and the senders' queues.

create table chatapp_accounts (
  account_id          uuid not null references accounts on delete cascade,
  uuid                uuid not null,
  -- As the caller wrote it, and its digits, which are what is compared
  chatapp_number      text not null,
  digits              text collate "C" not null,
  name                text not null default '',
  carrier             text not null,
  -- null: the account's default
  language_code       text,
  messages_per_second integer not null default 80,
  -- A paused sender keeps what it accepts until it is resumed
  paused              boolean not null default false,
  -- How many messages could leave at that moment (a bucket that fills at messages_per_second): the rate is held by all
  -- workers together because each takes from this row
  rate_tokens         double precision not null default 1,
  rate_at             timestamptz not null default now(),
  created             timestamptz not null default now(),
  modified            timestamptz not null default now(),
  primary key (account_id, uuid),
  unique (account_id, digits)
) with (fillfactor = 50);

create table message_templates (
  account_id      uuid not null references accounts on delete cascade,
  uuid            uuid not null,
  chatapp_account uuid not null,
  name            text collate "C" not null,
  language_code   text not null,
  status          text not null,
  -- The template's definition as the platform has it; empty while only its name is known
  components      json not null default '[]',
  created         timestamptz not null default now(),
  modified        timestamptz not null default now(),
  primary key (account_id, uuid),
  unique (account_id, chatapp_account, name, language_code),
  foreign key (account_id, chatapp_account) references chatapp_accounts on delete cascade
);

-- What was said. Never updated: whatever changes about a message is in message_states.
create table messages (
  account_id          uuid not null,
  uuid                uuid not null,
  chatapp_account     uuid not null,
  direction           text not null check (direction in ('OUTBOUND', 'INBOUND')),
  type                text not null,
  chatapp_number      text not null,
  from_chatapp_number text not null,
  to_chatapp_number   text not null,
  from_digits         text collate "C" not null,
  to_digits           text collate "C" not null,
  -- json, not jsonb: echoed exactly as it came, and cheaper to write
  message_data        json not null,
  meta_data           json not null default '{}',
  context_data        json not null default '{}',
  chat_intro          uuid,
  campaign_log        uuid,
  created             timestamptz not null default now(),
  primary key (account_id, uuid)
) partition by range (uuid);
-- One index per filter of the list, each ending in uuid so that a page is a range scan however deep it is.
create index messages_type on messages (account_id, type, uuid);
create index messages_direction on messages (account_id, direction, uuid);
create index messages_chatapp_account on messages (account_id, chatapp_account, uuid);
create index messages_to on messages (account_id, to_digits, uuid);
create index messages_from on messages (account_id, from_digits, uuid);
create index messages_chat_intro on messages (account_id, chat_intro, uuid) where chat_intro is not null;
create index messages_campaign_log on messages (account_id, campaign_log, uuid) where campaign_log is not null;

select ensure_partitions('messages', now() + interval '3 months');

-- Where each message stands, and, while it is QUEUED, its place in its sender's queue. A table of its own because a message
-- changes its state three times and more: an update here writes a narrow row and three index entries, in the wide table it
-- would write nine.
create table message_states (
  account_id         uuid not null,
  uuid               uuid not null,
  chatapp_account    uuid not null,
  status             text not null,
  status_description text not null default '',
  carrier_message_id text,
  modified           timestamptz not null default now(),
  -- 0 transactional, 1 campaign
  priority           smallint not null default 0,
  -- By the time of the sender's carrier. -infinity: at once; infinity: the answer to the hand-over never came, and only the
  -- receipt can tell what became of it
  due_at             timestamptz not null default '-infinity',
  attempts           smallint not null default 0,
  -- When to stop trying; set when the carrier first puts it off
  give_up_at         timestamptz,
  -- The worker that is handing it over (the number of its session lock); null: free
  claimed_by         integer,
  claimed_at         timestamptz,
  primary key (account_id, uuid)
) partition by range (uuid);
create index message_states_status on message_states (account_id, status, uuid);
-- The senders' queues.
create index message_states_free on message_states (account_id, chatapp_account, priority, due_at, uuid)
  where status = 'QUEUED' and claimed_by is null;
create index message_states_claimed on message_states (claimed_by) where claimed_by is not null;

select ensure_partitions('message_states', now() + interval '3 months',
  ' with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0)');
