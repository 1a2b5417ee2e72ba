-- What remains of somebody who was erased. The number is there as a keyed hash alone, which nobody can turn back.
create table person_erasures (
  account_id uuid not null references accounts (uuid) on delete cascade,
  uuid       uuid not null,
  -- As in opt_outs.digits of erased people
  person     text collate "C" not null,
  actor_type text not null,
  actor_uuid uuid not null,
  actor_name text not null,
  job        uuid not null,
  -- How much went, by kind
  counts     json not null,
  created    timestamptz not null default now(),
  primary key (account_id, uuid)
);
create index person_erasures_person on person_erasures (account_id, person, uuid);
create unique index person_erasures_job on person_erasures (account_id, job);

-- Opt-outs of erased people, whose digits are a hash: whether an account has any is asked for with every message.
create index opt_outs_erased on opt_outs (account_id) where digits like '#%';
