-- How much room the files of each account take on disk: uploads, media, audio, recordings, exports. Added to in the transaction that
-- stores a file's row, and counted anew from the files themselves every hour, since files go in many ways.
create table account_storage (
  account_id uuid primary key references accounts on delete cascade,
  bytes      bigint not null default 0 check (bytes >= 0),
  modified   timestamptz not null default now()
);
