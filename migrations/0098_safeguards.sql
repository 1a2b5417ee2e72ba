-- Where and how much an account may send, what is used of its caps, and what was refused.
create table safeguards (
  account_id uuid primary key references accounts (uuid) on delete cascade,
  settings jsonb not null default '{}',
  modified timestamptz not null default now()
);

-- What was used of a cap in an hour or a day. `granted`: what the last statement was given of what it asked for.
create table safeguard_counts (
  account_id uuid not null references accounts (uuid) on delete cascade,
  key text not null,
  window_start timestamptz not null,
  used numeric not null,
  cap numeric not null,
  granted numeric not null,
  primary key (account_id, key, window_start)
);
create index safeguard_counts_window on safeguard_counts (window_start);

-- Which of the thousand numbers of a range were sent to in an hour: a bit for each, by its last three digits.
create table safeguard_ranges (
  account_id uuid not null references accounts (uuid) on delete cascade,
  range text not null,
  window_start timestamptz not null,
  seen bit(1000) not null,
  primary key (account_id, range, window_start)
);
create index safeguard_ranges_window on safeguard_ranges (window_start);

-- What a safeguard refused: one row for each rule, subject and window, however often it happened.
create table safeguard_incidents (
  account_id uuid not null references accounts (uuid) on delete cascade,
  uuid uuid not null,
  rule text not null,
  channel text not null,
  -- A country, prefix, sender, recipient or range, by the rule
  subject text not null,
  -- NOTED; a range is HELD until somebody has looked: RELEASED or BLOCKED
  status text not null,
  window_start timestamptz not null,
  sender text not null,
  recipient text not null,
  refused bigint not null,
  created timestamptz not null default now(),
  modified timestamptz not null default now(),
  reviewed_by text,
  primary key (account_id, uuid),
  unique (account_id, rule, channel, subject, window_start)
);
create index safeguard_incidents_ranges on safeguard_incidents (account_id) where rule = 'PUMPING' and status in ('HELD', 'BLOCKED');
create index safeguard_incidents_rule on safeguard_incidents (account_id, rule, uuid);
create index safeguard_incidents_status on safeguard_incidents (account_id, status, uuid);
create index safeguard_incidents_modified on safeguard_incidents (modified) where status = 'NOTED';
