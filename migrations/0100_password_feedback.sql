-- Of the thousand numbers of a range, which were sent one-time passwords in five minutes, and which of these were used: a bit for each number,
-- by its last three digits.
create table safeguard_passwords (
  account_id uuid not null references accounts (uuid) on delete cascade,
  channel text not null,
  range text not null,
  window_start timestamptz not null,
  sent bit(1000) not null,
  used bit(1000) not null,
  primary key (account_id, channel, range, window_start)
);
create index safeguard_passwords_window on safeguard_passwords (window_start);

-- When the account first reported that a password was used; before that, none is expected to be reported.
alter table safeguards add column feedback_since timestamptz;

-- Ranges are held by more than one rule.
drop index safeguard_incidents_ranges;
create index safeguard_incidents_ranges on safeguard_incidents (account_id) where status in ('HELD', 'BLOCKED');
