-- What reports are made of: how many calls, messages, SMS and sessions of intros began on each day of an account's time zone, by status.
-- A day is counted from the rows when a report first asks for it, and kept, so that a report of a year reads days and not rows.
create table report_days (
  account_id uuid not null references accounts (uuid) on delete cascade,
  metric text not null,
  day date not null,
  -- In which the day began and ended
  zone text not null,
  counted_at timestamptz not null,
  primary key (account_id, metric, day)
);

-- `dimension` is what the rows were told apart by ('all': by nothing, and the key is empty); `amount` is a sum: seconds of calls, segments of SMS.
create table report_counts (
  account_id uuid not null references accounts (uuid) on delete cascade,
  metric text not null,
  dimension text not null,
  day date not null,
  key text collate "C" not null,
  name text collate "C" not null,
  count bigint not null,
  amount bigint not null,
  primary key (account_id, metric, dimension, day, key, name)
);

-- The lists that figures of a report lead to.
create index calls_target on calls (account_id, target, uuid) where target <> '';
create index calls_source on calls (account_id, call_tracking, uuid) where call_tracking <> '';
create index leads_source on leads (account_id, source, uuid) where source <> '';
create index intro_sessions_connected on intro_sessions (account_id, uuid) where connected_at is not null;
