-- Guessing is slowed by name and address together, so that nobody locks somebody else out.

-- What it held was of the last hours, by name alone.
drop table login_failures;
create table login_failures (
  -- In lower case, whether or not there is such a user
  username      text not null,
  -- An IPv4 address or the /64 of an IPv6 one; empty: the failures of the name from everywhere
  network       text not null,
  -- Attempts that are being looked at count as failures until they turn out to be good.
  failures      integer not null,
  blocked_until timestamptz not null,
  primary key (username, network)
);
create index login_failures_blocked on login_failures (blocked_until);

-- Where users signed in from lately: guesses from elsewhere do not slow them down there.
create table user_networks (
  account_id   uuid not null,
  user_uuid    uuid not null,
  network      text not null,
  last_sign_in timestamptz not null,
  primary key (account_id, user_uuid, network),
  foreign key (account_id, user_uuid) references users on delete cascade
);
create index user_networks_last_sign_in on user_networks (last_sign_in);
