-- Callbacks: a message may name an address of its own for its events. Each such address of an account is an endpoint like any
-- other, so that one which fails delays nobody; it is made at its first event and has no secret of its own.

alter table webhook_endpoints
  drop constraint webhook_endpoints_kind_check,
  add constraint webhook_endpoints_kind_check check (kind in ('CHATAPP', 'NUMBER', 'CALLBACK')),
  -- CALLBACK: signed with the account's secret
  alter column secret drop not null,
  add constraint webhook_endpoints_secret check ((secret is null) = (kind = 'CALLBACK'));

-- The name of a CALLBACK is the hash of its address, which may be longer than an index takes.
create unique index webhook_endpoints_callback on webhook_endpoints (account_id, name) where kind = 'CALLBACK';
-- Lists and announcements look at the other kinds alone, however many addresses messages have named.
create index webhook_endpoints_kind on webhook_endpoints (account_id, kind, uuid);
-- What tidying looks for.
create index webhook_endpoints_old_callbacks on webhook_endpoints (created) where kind = 'CALLBACK';
create index webhook_endpoints_disabled_callbacks on webhook_endpoints (modified) where kind = 'CALLBACK' and not enabled;
create index webhook_endpoints_old_secrets on webhook_endpoints (previous_secret_until)
  where previous_secret_until is not null;

create table callback_secrets (
  account_id            uuid primary key references accounts on delete cascade,
  -- Encrypted. After a rotation the previous one signs too, until its time is over
  secret                text not null,
  previous_secret       text,
  previous_secret_until timestamptz,
  created               timestamptz not null default now(),
  modified              timestamptz not null default now()
);
