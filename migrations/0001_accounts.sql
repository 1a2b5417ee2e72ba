-- Who may do what. Every table of a tenant begins its keys with account_id, which is also the distribution column of a cluster.

create table accounts (
  uuid            uuid primary key,
  name            text not null,
  default_country text not null default 'GB',
  time_zone       text not null default 'UTC',
  language_code   text not null default 'en_GB',
  -- {"start":"21:00","end":"08:00"} in the recipient's time zone; null: none
  quiet_hours     jsonb,
  retention_days  integer not null default 365,
  -- What the operator allows: {"requests_per_minute": n}; a missing key means the server's default
  limits          jsonb not null default '{}',
  created         timestamptz not null default now(),
  modified        timestamptz not null default now()
);

create table users (
  account_id    uuid not null references accounts on delete cascade,
  uuid          uuid not null,
  username      text not null,
  password_hash text not null,
  created       timestamptz not null default now(),
  primary key (account_id, uuid)
);
-- A person signs in with the name alone, so it is unique over all accounts.
create unique index users_username on users (lower(username));

create table tokens (
  account_id uuid not null references accounts on delete cascade,
  uuid       uuid not null,
  name       text not null,
  -- SHA-256 of the secret; the secret itself is shown once and never stored
  hash       text not null,
  scopes     text[] not null,
  expires    timestamptz,
  created    timestamptz not null default now(),
  primary key (account_id, uuid)
);
create unique index tokens_hash on tokens (hash);

-- Failed sign-ins by name, whether or not such a user exists, so that guessing slows down and tells nothing.
create table login_failures (
  username      text primary key,
  failures      integer not null,
  blocked_until timestamptz not null
);

-- The first answer to each keyed POST, written in the transaction that did the work: both are there or neither is.
create table idempotency_keys (
  account_id   uuid not null references accounts on delete cascade,
  method       text not null,
  path         text not null,
  key          text not null,
  request_hash text not null,
  status       integer not null,
  headers      jsonb not null,
  body         text not null,
  created      timestamptz not null default now(),
  primary key (account_id, method, path, key)
);
create index idempotency_keys_created on idempotency_keys (created);
