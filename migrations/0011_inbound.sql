-- What comes in from outside: payloads as they came, the people who write, and the ids by which carriers name messages.

-- Stored before anybody looks into it, and deleted some days after it was interpreted. The hash keeps a payload that the
-- platform sends again from standing here twice while the first is kept.
create table inbound_payloads (
  account_id      uuid not null,
  chatapp_account uuid not null,
  hash            bytea not null,
  uuid            uuid not null,
  carrier         text not null,
  body            bytea not null,
  received        timestamptz not null default now(),
  -- null: still to be interpreted
  done            timestamptz,
  attempts        smallint not null default 0,
  -- Why it could not be interpreted; such a payload is kept until somebody has looked at it
  problem         text,
  primary key (account_id, chatapp_account, hash)
);
create index inbound_payloads_waiting on inbound_payloads (uuid) where done is null and problem is null;
create index inbound_payloads_done on inbound_payloads (done) where done is not null;

-- One row per inbound message, by the carrier's id: the same message twice is one message, however it came.
create table inbound_ids (
  account_id      uuid not null,
  chatapp_account uuid not null,
  carrier_id      text collate "C" not null,
  message         uuid not null,
  created         timestamptz not null default now(),
  primary key (account_id, chatapp_account, carrier_id)
);

-- The people who write to a sender: when they last did, which opens the 24-hour window, and the platform's own id for them.
create table chat_people (
  account_id      uuid not null,
  chatapp_account uuid not null,
  -- What a person is compared by: digits, or the platform's id while the number is hidden
  digits          text collate "C" not null,
  number          text not null,
  user_id         text collate "C",
  name            text not null default '',
  last_inbound_at timestamptz not null,
  primary key (account_id, chatapp_account, digits)
) with (fillfactor = 80);
create unique index chat_people_user_id on chat_people (account_id, chatapp_account, user_id) where user_id is not null;

-- A carrier names a message that somebody answers or reacts to by its own id.
create index message_states_carrier_id on message_states (account_id, carrier_message_id)
  where carrier_message_id is not null;

-- How many messages one sender may send to one person now (a bucket, as for the sender itself), for carriers that limit it.
-- A row that was not touched for an hour says nothing that no row would not say, and is deleted.
create table pair_rates (
  account_id      uuid not null,
  chatapp_account uuid not null,
  digits          text collate "C" not null,
  tokens          double precision not null,
  at              timestamptz not null,
  primary key (account_id, chatapp_account, digits)
) with (fillfactor = 70);

-- A person who opted out and then writes again may be answered for a day: until this moment, by their carrier's time.
alter table opt_outs add column answer_until timestamptz;

-- Where the steps of one message are told beside the account's webhooks.
alter table message_states add column callback_url text;
