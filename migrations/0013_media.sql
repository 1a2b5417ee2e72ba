-- Files: those that an account uploads to send them, and those that people sent. The bytes are in DATA_DIR, a row says where.

create table media (
  account_id       uuid not null references accounts on delete cascade,
  uuid             uuid not null,
  kind             text not null check (kind in ('TEMPLATE', 'INBOUND')),
  name             text not null default '',
  filename         text not null,
  mime_type        text not null,
  size             bigint,
  -- In hex
  sha256           text,
  -- Under DATA_DIR; null: not fetched from the carrier yet
  path             text,
  -- Of an inbound file: the message it came with, the sender it came to, and what the carrier calls it
  message          uuid,
  chatapp_account  uuid,
  carrier_media_id text,
  -- Why it can never be fetched
  problem          text,
  created          timestamptz not null default now(),
  primary key (account_id, uuid),
  check (kind = 'INBOUND' or path is not null)
);
create index media_template on media (account_id, uuid) where kind = 'TEMPLATE';
create unique index media_message on media (account_id, message) where message is not null;
create index media_waiting on media (created) where path is null and problem is null;

-- What a carrier calls a file, for one sender, until it forgets it.
create table media_uploads (
  account_id      uuid not null,
  media           uuid not null,
  chatapp_account uuid not null,
  carrier_id      text not null,
  expires         timestamptz not null,
  primary key (account_id, media, chatapp_account),
  foreign key (account_id, media) references media on delete cascade
);
create index media_uploads_expires on media_uploads (expires);
