-- Numbers: the pool from which they are bought, and those that accounts have.

create table number_pool (
  -- International, without the plus
  digits       text collate "C" primary key,
  -- The digits as an id (their order is the numbers' order), so that a search is paged like any other list
  uuid         uuid not null generated always as (lpad(digits, 32, '0')::uuid) stored,
  number       text not null generated always as ('+' || digits) stored,
  country      text collate "C" not null,
  -- Area or mobile code, as people ask for it
  prefix       text collate "C" not null,
  -- What follows the country's calling code, without leading zeros: wanted prefixes are compared with its beginning
  national     text collate "C" not null,
  capabilities text[] not null,
  carrier      text not null,
  state        text not null default 'AVAILABLE' check (state in ('AVAILABLE', 'ASSIGNED', 'COOLING')),
  -- A released number rests until then, so that its next owner is spared the calls of the last one's customers
  available_at timestamptz not null default now()
);
-- Buying and searching by prefix; paging through a country's numbers and through all.
create index number_pool_national on number_pool (country, national) where state <> 'ASSIGNED';
create index number_pool_country on number_pool (country, uuid) where state <> 'ASSIGNED';
create index number_pool_uuid on number_pool (uuid) where state <> 'ASSIGNED';

-- What each carrier's ranges were when they were last put into the pool: a start at which nothing changed costs one look-up.
create table number_pool_sources (
  carrier  text primary key,
  checksum text not null
);

-- What `capability`, `feature` and `q` look for in an account's numbers, and the account itself, so that one index finds them
-- within it. Every ending of the number is a term: digits that begin one of them stand somewhere in the number. The account's
-- mark has a capital letter, like capabilities and features, so that `q`, in small letters, cannot meet them.
create function number_terms(account_id uuid, capabilities text[], features text[], digits text, words text[])
returns tsvector language sql immutable parallel safe as $$
  select array_to_tsvector(array['A=' || account_id] || capabilities || features || words
    || array(select substr(digits, start) from generate_series(1, length(digits)) start))
$$;

create table numbers (
  account_id          uuid not null references accounts on delete cascade,
  uuid                uuid not null,
  digits              text collate "C" not null,
  number              text not null generated always as ('+' || digits) stored,
  national            text collate "C" not null,
  country             text collate "C" not null,
  capabilities        text[] not null,
  carrier             text not null,
  -- As the caller wrote it ('': none), and its digits
  target_number       text not null,
  target_digits       text collate "C" not null generated always as (regexp_replace(target_number, '[^0-9]', '', 'g')) stored,
  features            text[] not null,
  webhooks            text[] not null,
  meta                json not null,
  tts                 text not null,
  whisper_file        text not null,
  call_tracking       text not null,
  record_call_file    text not null,
  keep_number_file    text not null,
  voicemail_lite_file text not null,
  capture_digits_file text not null,
  keywords            text[] not null,
  -- Of call_tracking and keywords, in small letters: made by the program, as lower() knows ASCII only in some locales
  words               text[] not null,
  issued_date         timestamptz not null default now(),
  billing_anniversary date not null default (now() at time zone 'UTC' + interval '1 month')::date,
  last_called         timestamptz,
  -- null: the account has it
  released_at         timestamptz,
  modified            timestamptz not null default now(),
  terms               tsvector not null generated always as
    (number_terms(account_id, capabilities, features, digits, words)) stored,
  primary key (account_id, uuid)
);
-- One account has a number at a time; inbound calls and messages find their number by it.
create unique index numbers_digits on numbers (digits) where released_at is null;
-- One index per filter of the list.
create index numbers_active on numbers (account_id, uuid) where released_at is null;
create index numbers_country on numbers (account_id, country, uuid) where released_at is null;
create index numbers_national on numbers (account_id, national) where released_at is null;
create index numbers_target on numbers (account_id, target_digits, uuid) where released_at is null;
create index numbers_terms on numbers using gin (terms) where released_at is null;
