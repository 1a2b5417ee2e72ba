-- The audit log as a chain: each entry has a number and a hash over itself and the entry before it, so that none can be changed or
-- removed without a trace. Entries are written without them and sealed within seconds, in one order for each account.
alter table audit_log
  add column sequence bigint,
  add column hash text;
create unique index audit_log_sequence on audit_log (account_id, sequence);
create index audit_log_unsealed on audit_log (account_id) where sequence is null;

-- The end of each account's chain, and where it begins now: retention removes old entries, and what follows them still fits.
create table audit_chains (
  account_id uuid primary key references accounts on delete cascade,
  sequence bigint not null default 0,
  hash text not null default '',
  anchor_sequence bigint not null default 0,
  anchor_hash text not null default '',
  -- A keyed digest of the above: who can write to the database alone cannot make another chain.
  signature text not null default '',
  modified timestamptz not null default now()
);

-- Whether reads of content are in the audit log, too.
alter table accounts add column audit_reads boolean not null default false;
