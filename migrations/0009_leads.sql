-- People who showed interest: submitted through the API, and later made by chat intros.

create table leads (
  account_id      uuid not null references accounts on delete cascade,
  uuid            uuid not null,
  chatapp_account uuid not null,
  chatapp_number  text not null,
  -- As it came, and its digits, which are what is compared
  phone_number    text not null,
  digits          text collate "C" not null,
  name            text not null,
  source          text not null,
  chat_intro      uuid,
  data            json not null,
  created         timestamptz not null default now(),
  modified        timestamptz not null default now(),
  primary key (account_id, uuid)
);
-- One index per filter of the list.
create index leads_number on leads (account_id, digits, uuid);
create index leads_chatapp_account on leads (account_id, chatapp_account, uuid);
create index leads_chat_intro on leads (account_id, chat_intro, uuid) where chat_intro is not null;
