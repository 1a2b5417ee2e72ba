-- Work that takes longer than a request: its input, how far it is, and what came of each item.

-- QUEUED → RUNNING → SUCCEEDED or FAILED; CANCELLED from either of the first two.
create table jobs (
  account_id   uuid not null references accounts on delete cascade,
  uuid         uuid not null,
  type         text not null,
  status       text not null default 'QUEUED'
    check (status in ('QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED')),
  -- What was asked for, as it was checked; null: the job has ended, and nobody needs it any more
  input        json,
  -- Its items are the lines of a file that was uploaded with it
  from_file    boolean not null default false,
  callback_url text,
  -- The items that were gone through: where it goes on, whoever does
  done         bigint not null default 0,
  -- How many there are; null: not known yet
  total        bigint,
  -- What came of them, counted
  counts       json not null default '{}',
  -- Why it failed, in words
  reason       text not null default '',
  -- Bytes of the file that it made; null: none
  file_size    bigint,
  -- Failures and deaths since the last step that succeeded
  attempts     integer not null default 0,
  due_at       timestamptz not null default now(),
  -- The process that works at it
  claimed_by   integer,
  created      timestamptz not null default now(),
  started_at   timestamptz,
  finished_at  timestamptz,
  primary key (account_id, uuid)
) with (fillfactor = 50);
create index jobs_type on jobs (account_id, type, uuid);
create index jobs_status on jobs (account_id, status, uuid);
-- What is to be done, account by account.
create index jobs_open on jobs (account_id, status, uuid) where status in ('QUEUED', 'RUNNING');

-- What came of each item. Written by the transaction that did it: what has a row was done, what has none was not.
create table job_results (
  account_id uuid not null,
  job        uuid not null,
  -- The place of the item in the input; of a file, its line
  index      bigint not null,
  -- The place once more, in the form by which pages are found
  uuid       uuid not null generated always as (lpad(to_hex(index), 32, '0')::uuid) stored,
  ok         boolean not null,
  -- The answer that the item would have got by itself
  value      json not null,
  primary key (account_id, job, uuid)
) partition by range (job);
create index job_results_failed on job_results (account_id, job, uuid) where not ok;
select ensure_partitions('job_results', now() + interval '3 months');
