-- Who changed what, and who signed in: the request without its body, so that no secret gets here.

create table audit_log (
  account_id uuid not null references accounts on delete cascade,
  uuid       uuid not null,
  -- USER or TOKEN, and what it was called at that moment; it may be gone or have another name by now
  actor_type text not null,
  actor_uuid uuid not null,
  actor_name text not null,
  operation  text not null,
  summary    text not null,
  method     text not null,
  path       text not null,
  status     integer not null,
  address    text not null,
  request_id text not null,
  created    timestamptz not null default now(),
  primary key (account_id, uuid)
);
create index audit_log_actor on audit_log (account_id, actor_uuid, uuid);
create index audit_log_operation on audit_log (account_id, operation, uuid);
