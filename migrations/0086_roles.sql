-- Roles: named sets of scopes. The built-in ones are in the code (src/domains/accounts/roles/built-in.ts); these are an account's own.
create table roles (
  account_id uuid not null references accounts (uuid) on delete cascade,
  uuid uuid not null,
  name text not null,
  description text not null default '',
  scopes text[] not null,
  created timestamptz not null default now(),
  modified timestamptz not null default now(),
  primary key (account_id, uuid)
);
create unique index roles_name on roles (account_id, lower(name));

-- The name of the user's role; null: the scopes were given one by one. `scopes` are those of the role, so that nobody who asks for
-- them needs to look at roles.
alter table users add column role text;
create index users_role on users (account_id, role);
update users set role = 'owner' where scopes @> '{read,write}' and scopes <@ '{read,write,operator}';

-- A person's own profile. null: as the account says.
alter table users
  add column full_name text not null default '',
  add column language_code text,
  add column time_zone text,
  add column notifications jsonb not null default '{}',
  -- The password was printed by the first start, or given by somebody else: the console asks for another.
  add column must_change_password boolean not null default false;
