-- Users and groups that an identity provider keeps up to date (SCIM 2.0, RFC 7643 and 7644).

alter table users
  -- Since when they cannot sign in; null: they can
  add column deactivated timestamptz,
  -- What the provider calls them
  add column external_id text,
  -- What it says of them beside that, for it to read again: {"name", "emails"}
  add column scim jsonb not null default '{}';
create index users_external_id on users (account_id, external_id) where external_id is not null;
create index users_full_name on users (account_id, lower(full_name));

create table scim_groups (
  account_id   uuid not null references accounts (uuid) on delete cascade,
  uuid         uuid not null,
  display_name text not null,
  external_id  text,
  created      timestamptz not null default now(),
  modified     timestamptz not null default now(),
  primary key (account_id, uuid)
);
create unique index scim_groups_name on scim_groups (account_id, lower(display_name));
create index scim_groups_external_id on scim_groups (account_id, external_id) where external_id is not null;

create table scim_members (
  account_id uuid not null,
  group_uuid uuid not null,
  user_uuid  uuid not null,
  primary key (account_id, group_uuid, user_uuid),
  foreign key (account_id, group_uuid) references scim_groups on delete cascade,
  foreign key (account_id, user_uuid) references users on delete cascade
);
create index scim_members_of_user on scim_members (account_id, user_uuid);
