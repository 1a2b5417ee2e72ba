-- Where calls and messages go: the people who take them (agents), the configs that choose, and what is watched over.

create table agents (
  account_id     uuid not null references accounts on delete cascade,
  uuid           uuid not null,
  name           text not null,
  -- Phone numbers and SIP addresses, as they were written
  numbers        text[] not null,
  -- IN_ORDER or ALL_AT_ONCE
  ring           text not null,
  -- null: the account's
  time_zone      text,
  -- Windows by weekday; null: always
  working_hours  json,
  holidays       date[] not null default '{}',
  -- In small letters; the same are in agent_skills, where they are looked up
  skills         text[] not null default '{}',
  away           boolean not null default false,
  -- null: until somebody says otherwise
  away_until     timestamptz,
  -- Who is asked in place of somebody who is not available or does not answer
  fallback       uuid,
  last_assigned  timestamptz,
  created        timestamptz not null default now(),
  modified       timestamptz not null default now(),
  primary key (account_id, uuid),
  foreign key (account_id, fallback) references agents on delete set null (fallback)
) with (fillfactor = 70);
create index agents_fallback on agents (account_id, fallback) where fallback is not null;

create table agent_skills (
  account_id uuid not null,
  skill      text collate "C" not null,
  agent      uuid not null,
  primary key (account_id, skill, agent),
  foreign key (account_id, agent) references agents on delete cascade
);
create index agent_skills_agent on agent_skills (account_id, agent);

-- Whose turn it was among those with a skill. Whoever picks the next one locks the row, so that all processes share one order.
create table agent_turns (
  account_id uuid not null references accounts on delete cascade,
  skill      text collate "C" not null,
  last_agent uuid,
  primary key (account_id, skill)
) with (fillfactor = 50);

create table routing_configs (
  account_id uuid not null references accounts on delete cascade,
  uuid       uuid not null,
  name       text not null,
  channel    text not null check (channel in ('VOICE', 'SMS', 'CHATAPP')),
  -- As they were written; empty: all of the channel that no other config names
  numbers    text[] not null,
  enabled    boolean not null,
  routes     json not null,
  fallback   json,
  created    timestamptz not null default now(),
  modified   timestamptz not null default now(),
  primary key (account_id, uuid)
);
create index routing_configs_channel on routing_configs (account_id, channel, uuid);

-- Which enabled config decides for a number: one at most. '' stands for all numbers that are not named.
create table routing_numbers (
  account_id uuid not null,
  channel    text not null,
  digits     text collate "C" not null,
  config     uuid not null,
  primary key (account_id, channel, digits),
  foreign key (account_id, config) references routing_configs on delete cascade
);
create index routing_numbers_config on routing_numbers (account_id, config);

-- Which audio files a config plays; while it does, they are not deleted.
create table routing_audio_files (
  account_id uuid not null,
  file       uuid not null,
  config     uuid not null,
  primary key (account_id, file, config),
  foreign key (account_id, file) references audio_files on delete cascade,
  foreign key (account_id, config) references routing_configs on delete cascade
);
create index routing_audio_files_config on routing_audio_files (account_id, config);

-- What an account wants to be told. Without a row: nothing.
create table insights_configs (
  account_id                 uuid primary key references accounts on delete cascade,
  -- null: nobody watches
  missed_call_window_minutes integer,
  -- The last end of a call on the timeline that was looked at
  calls_seen                 uuid,
  reply_time_target_minutes  integer,
  -- [{"name","keywords":[…]}]
  keyword_groups             json not null default '[]',
  -- Windows by weekday in the account's time zone; null: always
  business_hours             json,
  digest_hour                integer not null default 8,
  -- When the next digest is due; null: none is wanted
  digest_due_at              timestamptz,
  modified                   timestamptz not null default now()
);
create index insights_configs_calls on insights_configs (account_id) where missed_call_window_minutes is not null;
create index insights_configs_digest on insights_configs (digest_due_at) where digest_due_at is not null;

-- Conversations in which somebody waits for an answer, and until when it should be there: the first message that was not
-- answered. Rows go when they are due, so the table is as large as what is going on.
create table reply_watches (
  account_id uuid not null references accounts on delete cascade,
  channel    text not null,
  -- Whom they wrote to, and who, as digits
  number     text collate "C" not null,
  person     text collate "C" not null,
  message    uuid not null,
  since      timestamptz not null,
  due_at     timestamptz not null,
  primary key (account_id, channel, number, person)
);
create index reply_watches_due on reply_watches (due_at);

-- Calls that nobody answered, and until when somebody should have called back. One for each caller.
create table callback_watches (
  account_id uuid not null references accounts on delete cascade,
  number     text collate "C" not null,
  caller     text collate "C" not null,
  call       uuid not null,
  since      timestamptz not null,
  due_at     timestamptz not null,
  primary key (account_id, number, caller)
);
create index callback_watches_due on callback_watches (due_at);

-- Whether somebody called a person back.
create index calls_called on calls (account_id, (regexp_replace(to_number, '[^0-9]', '', 'g')), uuid) where direction = 'OUTBOUND';
