-- Single sign-on by OpenID Connect: providers of accounts, who is who there, and what was signed in for by them.

create table identity_providers (
  account_id          uuid not null references accounts (uuid) on delete cascade,
  uuid                uuid not null,
  name                text not null,
  -- Exactly as the provider writes it into its ID tokens
  issuer              text not null,
  client_id           text not null,
  -- Encrypted
  client_secret       text not null,
  token_auth_method   text not null,
  scopes              text not null,
  groups_claim        text not null,
  -- [{"group", "role"}], the first that fits counts
  group_roles         jsonb not null default '[]',
  -- For whoever is in none of the groups; null: they are refused
  default_role        text,
  create_users        boolean not null,
  trust_email         boolean not null,
  trust_second_factor boolean not null,
  enabled             boolean not null,
  -- What its discovery document said, and when
  metadata            jsonb,
  discovered          timestamptz,
  last_error          text not null default '',
  last_error_at       timestamptz,
  last_sign_in        timestamptz,
  created             timestamptz not null default now(),
  modified            timestamptz not null default now(),
  primary key (account_id, uuid)
);

-- Domains of e-mail addresses whose people sign in by a provider. One that is verified is of one provider on the whole server.
create table identity_provider_domains (
  account_id    uuid not null,
  provider_uuid uuid not null,
  domain        text not null,
  verified      timestamptz,
  primary key (account_id, provider_uuid, domain),
  foreign key (account_id, provider_uuid) references identity_providers on delete cascade
);
create unique index identity_provider_domains_verified on identity_provider_domains (domain) where verified is not null;

-- Who a user is at a provider: its `sub`, which never changes, and not an e-mail address, which may.
create table user_identities (
  account_id    uuid not null,
  provider_uuid uuid not null,
  subject       text not null,
  user_uuid     uuid not null,
  email         text not null,
  created       timestamptz not null default now(),
  last_sign_in  timestamptz,
  primary key (account_id, provider_uuid, subject),
  foreign key (account_id, provider_uuid) references identity_providers on delete cascade,
  foreign key (account_id, user_uuid) references users on delete cascade
);
create index user_identities_of_user on user_identities (account_id, user_uuid);

-- Sessions that were opened by a provider, with what it wants to see again when they end.
create table sso_sessions (
  account_id    uuid not null,
  token_uuid    uuid not null,
  provider_uuid uuid not null,
  -- The ID token, encrypted
  id_token      text not null,
  primary key (account_id, token_uuid),
  foreign key (account_id, token_uuid) references tokens on delete cascade,
  foreign key (account_id, provider_uuid) references identity_providers on delete cascade
);
create index sso_sessions_of_provider on sso_sessions (account_id, provider_uuid);

alter table accounts
  -- Passwords and passkeys are for owners alone
  add column sso_required boolean not null default false;
