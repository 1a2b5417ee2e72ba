-- The sandbox's people write back, and its hand-overs can be made to fail.

alter table sandbox_messages
  -- INBOUND: written on the phone. Such a row has the message's uuid as its id, and nothing to report.
  add column direction text not null default 'OUTBOUND';

-- How the next hand-overs of an account end, the oldest row first. A row with nothing left is deleted.
create table sandbox_faults (
  account_id uuid not null references accounts on delete cascade,
  uuid       uuid not null,
  kind       text not null,
  count      integer not null,
  remaining  integer not null,
  created    timestamptz not null default now(),
  primary key (account_id, uuid)
);
