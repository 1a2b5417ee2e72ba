-- Second factors of users, passkeys, and when somebody last proved who they are.

-- One row for each user who has or is setting up a second factor.
create table second_factors (
  account_id     uuid not null,
  user_uuid      uuid not null,
  -- The secret of one-time codes (RFC 6238), encrypted; null: none
  totp_secret    text,
  -- When its first code was entered; null: it is being set up, and counts for nothing
  totp_confirmed timestamptz,
  -- The time step of the last code that was accepted: none is accepted twice
  totp_step      bigint not null default 0,
  -- Wrong codes in a row, from everywhere: whoever gets this far knows the password
  failures       integer not null default 0,
  blocked_until  timestamptz,
  primary key (account_id, user_uuid),
  foreign key (account_id, user_uuid) references users on delete cascade
);

create table recovery_codes (
  account_id uuid not null,
  user_uuid  uuid not null,
  -- SHA-256 of the code, which is random and long; the row goes when the code is used
  hash       text not null,
  primary key (account_id, user_uuid, hash),
  foreign key (account_id, user_uuid) references users on delete cascade
);

create table passkeys (
  account_id    uuid not null,
  uuid          uuid not null,
  user_uuid     uuid not null,
  name          text not null,
  -- As WebAuthn names the credential, base64url
  credential_id text not null,
  -- COSE, base64url
  public_key    text not null,
  counter       bigint not null,
  transports    text[] not null,
  -- The host name that it was made for
  rp_id         text not null,
  created       timestamptz not null default now(),
  last_used     timestamptz,
  primary key (account_id, uuid),
  foreign key (account_id, user_uuid) references users on delete cascade
);
create index passkeys_of_user on passkeys (account_id, user_uuid, uuid);
-- Whoever signs in with a passkey gives no name, so it is unique over all accounts.
create unique index passkeys_credential on passkeys (credential_id);

-- What a browser was asked to sign, and where it was sent to sign in: each is taken once, within minutes.
create table sign_in_challenges (
  -- SHA-256 of what the browser brings back
  hash    text primary key,
  kind    text not null,
  data    jsonb not null,
  expires timestamptz not null
);
create index sign_in_challenges_expires on sign_in_challenges (expires);

alter table accounts
  -- Whoever signs in with a password alone can set up a second factor, and nothing else
  add column require_second_factor boolean not null default false;

alter table tokens
  -- When whoever signed in last proved who they are; null: when it was created
  add column authenticated timestamptz,
  -- Whether they did so with a second factor
  add column second_factor boolean not null default false;

alter table users
  -- false: they sign in by an identity provider, or with a passkey
  add column has_password boolean not null default true;
