-- Links that let somebody set a password once: invitations of new users, and resets for users who are known (user_uuid). The secret is
-- in the link alone.
create table invitations (
  account_id uuid not null references accounts (uuid) on delete cascade,
  uuid uuid not null,
  -- Whom a reset is for; null: an invitation.
  user_uuid uuid,
  email text not null default '',
  -- The role that the invited will have; null: a reset.
  role text,
  hash text not null,
  created_by text not null default '',
  created timestamptz not null default now(),
  expires timestamptz not null,
  accepted timestamptz,
  primary key (account_id, uuid),
  constraint invitations_user foreign key (account_id, user_uuid) references users (account_id, uuid) on delete cascade
);
create unique index invitations_hash on invitations (hash);
create index invitations_user on invitations (account_id, user_uuid) where user_uuid is not null;
