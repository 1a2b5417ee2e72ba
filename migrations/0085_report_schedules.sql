-- Reports that are made again and again, at an hour of the account's time zone. `due_at`: when the next one is; null: it is switched off.
create table report_schedules (
  account_id uuid not null references accounts (uuid) on delete cascade,
  uuid uuid not null,
  name text not null,
  metric text not null,
  group_by text not null,
  compare text not null,
  direction text,
  -- How many days before the one on which it is made; null: the day, the seven days or the month before
  days integer,
  every text not null check (every in ('day', 'week', 'month')),
  weekday text not null,
  hour smallint not null check (hour between 0 and 23),
  due_at timestamptz,
  created timestamptz not null default now(),
  modified timestamptz not null default now(),
  primary key (account_id, uuid)
);
create index report_schedules_due on report_schedules (due_at) where due_at is not null;

-- What came of them: each has the id of the job that made its file.
create table report_runs (
  account_id uuid not null references accounts (uuid) on delete cascade,
  uuid uuid not null,
  schedule uuid not null,
  from_day date not null,
  to_day date not null,
  rows integer,
  ready_at timestamptz,
  created timestamptz not null default now(),
  primary key (account_id, uuid)
);
create index report_runs_schedule on report_runs (account_id, schedule, uuid);
