-- One append-only timeline: every step of every message, intro, call and contact is one row, and every log of the API reads it.
-- High-volume tables are partitioned by range of their UUIDv7, which is a range of time: a look-up by id touches one
-- partition, and retention drops whole ones.

-- The smallest UUIDv7 of a moment (RFC 9562, 5.7): 48 bits of milliseconds, then zeros.
create function uuid_floor(moment timestamptz) returns uuid language sql immutable parallel safe as $$
  select (lpad(to_hex(floor(extract(epoch from moment) * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid
$$;

-- Makes the monthly partitions of a table from now to the given moment; those that exist are left alone. The first one
-- reaches back to the beginning of time, so that no id is ever without a home. `storage` is for tables whose rows are updated
-- often: a partitioned table cannot hand such settings down.
create function ensure_partitions(parent regclass, until timestamptz, storage text default '') returns integer
language plpgsql as $$
declare
  month timestamptz := date_trunc('month', now(), 'UTC');
  made integer := 0;
  is_first boolean := not exists (select from pg_inherits where inhparent = parent);
  partition text;
begin
  while month <= until loop
    partition := parent::text || '_' || to_char(month at time zone 'UTC', 'YYYYMM');
    if to_regclass(partition) is null then
      execute format('create table %I partition of %s for values from (%s) to (%L)', partition, parent,
        case when is_first then 'minvalue' else quote_literal(uuid_floor(month)) end, uuid_floor(month + interval '1 month'))
        || storage;
      made := made + 1;
    end if;
    is_first := false;
    month := month + interval '1 month';
  end loop;
  return made;
end $$;

create table events (
  account_id   uuid not null,
  uuid         uuid not null,
  -- What it happened to: a message, an intro, a number …
  subject_type text not null,
  subject      uuid not null,
  kind         text not null,
  -- The event that led to this one
  cause        uuid,
  data         json not null,
  at           timestamptz not null default now(),
  primary key (account_id, uuid)
) partition by range (uuid);
-- The whole story of one thing, in order.
create index events_subject on events (account_id, subject, uuid);

select ensure_partitions('events', now() + interval '3 months');
