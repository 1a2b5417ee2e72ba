-- The operator's number pool, what is known of the traffic of numbers, their logs, and the timeline as one list.

-- The installation's own account: it fills the pool from which all accounts buy.
alter table accounts add column operator boolean not null default false;
update accounts set operator = true where uuid = (select uuid from accounts order by uuid limit 1);

-- Calls and SMS of each number by hour (UTC), counted when they happen. A busy number is counted by several sessions at once:
-- each adds to the row of its slot, so that they do not wait for each other; whoever reads adds the slots up.
create table number_traffic (
  account_id uuid not null references accounts on delete cascade,
  digits     text collate "C" not null,
  day        date not null,
  hour       smallint not null check (hour between 0 and 23),
  kind       text not null check (kind in ('CALL_ANSWERED', 'CALL_MISSED', 'CALL_OTHER', 'SMS_IN', 'SMS_OUT')),
  slot       smallint not null,
  count      integer not null,
  -- Talked, all calls together
  seconds    bigint not null,
  primary key (account_id, digits, day, hour, kind, slot)
) with (fillfactor = 70);

-- Who called a number on a day, once: so the callers of any span can be counted without counting one twice.
create table number_callers (
  account_id uuid not null references accounts on delete cascade,
  digits     text collate "C" not null,
  day        date not null,
  caller     text collate "C" not null,
  primary key (account_id, digits, day, caller)
);

-- All that an account had of one number, also released: the logs ask for it.
create index numbers_history on numbers (account_id, digits, uuid);

-- The raw number log, with an index per filter.
create index events_number on events (account_id, uuid) where subject_type = 'number';
create index events_number_kind on events (account_id, kind, uuid) where subject_type = 'number';
create index events_number_number on events (account_id, (data ->> 'number'), uuid) where subject_type = 'number';

-- The timeline by kind. The five commonest kinds, which are most of it, are found soon enough by reading it in its own order,
-- and do not pay for an index that every accepted and delivered message would have to keep up.
create index events_kind on events (account_id, kind, uuid)
  where kind not in ('message.queued', 'message.sent', 'message.delivered', 'message.read', 'message.received');
