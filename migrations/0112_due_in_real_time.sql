-- A launch is looked at from this moment on, so that one costs nothing that is to start tomorrow, or whose people are all held until the morning.
-- '-infinity': always, as for launches of an account that moved its sandbox clock, and has moments of its own.
alter table campaign_logs add column wakes_at timestamptz not null default '-infinity';
create index campaign_logs_awake on campaign_logs (wakes_at, uuid) where status in ('SCHEDULED', 'RUNNING');

-- When a phone of the sandbox has something to do, in real time; `due_at` is by the account's own clock. Too early does no harm, and what
-- processes of the version before write is so.
alter table sandbox_messages add column real_due_at timestamptz not null default '-infinity';
update sandbox_messages as message set real_due_at = due_at
where due_at is not null and not exists (select 1 from sandbox_clocks as clock where clock.account_id = message.account_id);
update sandbox_messages as message set real_due_at = to_timestamp(least(253402214400, greatest(
  extract(epoch from due_at)::float8 - 316224000,
  coalesce(extract(epoch from clock.real_base)::float8 - 0.001
    + extract(epoch from due_at - clock.virtual_base)::float8 / nullif(round(clock.speed::numeric, 9)::float8, 0),
    253402214400))))
from sandbox_clocks as clock where clock.account_id = message.account_id and due_at is not null;
create index sandbox_messages_really_due on sandbox_messages (real_due_at, due_at) where due_at is not null;
drop index sandbox_messages_due;

-- Every process looks every few seconds for those who turned encryption on or off.
create index content_passes_turned on content_passes (turned);
