-- Callers who did not get through and whom nobody has looked at yet: written when their call ends, taken a moment later. Until now every
-- account that wants to be told of them was asked for news at every look. `insights_configs.calls_seen` is read no more; it stays for
-- processes of the version before, which look for themselves until they are replaced.
create table missed_calls (
  account_id uuid not null references accounts (uuid) on delete cascade,
  call uuid not null,
  at timestamptz not null default now(),
  primary key (account_id, call)
);

insert into missed_calls (account_id, call, at)
select config.account_id, event.subject, event.at
from insights_configs as config
  join events as event on event.account_id = config.account_id and event.uuid > config.calls_seen
  join calls as call on call.account_id = event.account_id and call.uuid = event.subject
where config.missed_call_window_minutes is not null and event.subject_type = 'call' and event.kind = 'call.ended'
  and call.direction = 'INBOUND' and call.from_digits <> ''
  and call.result in ('MISSED', 'ABANDONED', 'BUSY', 'VOICEMAIL', 'FAILED')
on conflict do nothing;

drop index insights_configs_calls;
