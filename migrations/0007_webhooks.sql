-- Webhooks out: where events are sent, one delivery per event and endpoint, one row per attempt, and the endpoints' queues.

create table webhook_endpoints (
  account_id            uuid not null references accounts on delete cascade,
  uuid                  uuid not null,
  kind                  text not null check (kind in ('CHATAPP', 'NUMBER')),
  -- How numbers name it; '' for CHATAPP
  name                  text collate "C" not null,
  url                   text not null,
  -- Event types, or '*'
  events                text[] not null,
  description           text not null,
  enabled               boolean not null,
  -- Why we disabled it; '' when it is enabled, or was disabled by its owner
  disabled_reason       text not null default '',
  -- Encrypted. After a rotation the previous one signs too, until its time is over
  secret                text not null,
  previous_secret       text,
  previous_secret_until timestamptz,
  -- Since when it has answered with nothing but failures; null: its last answer was a success
  failing_since         timestamptz,
  -- It asked us to slow down: nothing is sent before this moment
  paused_until          timestamptz,
  created               timestamptz not null default now(),
  modified              timestamptz not null default now(),
  primary key (account_id, uuid)
);
create unique index webhook_endpoints_name on webhook_endpoints (account_id, name) where kind = 'NUMBER';

-- The id of a delivery: the time and count of its event's UUIDv7, with a random part of its own, so that it falls into the
-- same partition and keeps the events' order.
create function delivery_id(event uuid) returns uuid language sql volatile parallel safe as $$
  select (left(event::text, 19) || substr(gen_random_uuid()::text, 20))::uuid
$$;

create table webhook_deliveries (
  account_id       uuid not null,
  uuid             uuid not null,
  endpoint         uuid not null,
  -- Its id is the `webhook-id` of every attempt
  event            uuid not null,
  type             text collate "C" not null,
  -- The body, byte for byte the same at every attempt
  payload          text not null,
  status           text not null default 'PENDING' check (status in ('PENDING', 'SUCCEEDED', 'FAILED', 'CANCELLED')),
  attempts         integer not null default 0,
  next_attempt     timestamptz default now(),
  last_status_code integer,
  last_error       text not null default '',
  created          timestamptz not null default now(),
  modified         timestamptz not null default now(),
  primary key (account_id, uuid)
) partition by range (uuid);
-- One index per filter of the list.
create index webhook_deliveries_endpoint on webhook_deliveries (account_id, endpoint, uuid);
create index webhook_deliveries_type on webhook_deliveries (account_id, type, uuid);
create index webhook_deliveries_status on webhook_deliveries (account_id, status, uuid);

create table webhook_attempts (
  account_id  uuid not null,
  uuid        uuid not null,
  delivery    uuid not null,
  at          timestamptz not null,
  -- null: no answer came
  status_code integer,
  duration_ms integer not null,
  -- The first 1 KiB of the answer
  response    text not null,
  error       text not null,
  primary key (account_id, uuid)
) partition by range (uuid);
create index webhook_attempts_delivery on webhook_attempts (account_id, delivery, uuid);

select ensure_partitions(parent, now() + interval '3 months')
from unnest(array['webhook_deliveries', 'webhook_attempts']::regclass[]) as parent;

-- What each endpoint still has to be sent. A row exists exactly while its delivery is PENDING.
create table webhook_queue (
  account_id uuid not null,
  endpoint   uuid not null,
  delivery   uuid not null,
  -- -infinity: at once
  due_at     timestamptz not null default '-infinity',
  -- Of the present schedule; sending again by hand starts a new one
  attempts   smallint not null default 0,
  -- The worker that is sending it (the number of its session lock); null: free
  claimed_by integer,
  claimed_at timestamptz,
  primary key (account_id, delivery)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create index webhook_queue_free on webhook_queue (account_id, endpoint, due_at, delivery) where claimed_by is null;
create index webhook_queue_claimed on webhook_queue (claimed_by) where claimed_by is not null;
