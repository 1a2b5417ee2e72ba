-- SIP: the trunks that calls come and go by, and what the process that looks after each tells of it.

create table sip_trunks (
  account_id        uuid not null references accounts on delete cascade,
  uuid              uuid not null,
  name              text not null,
  host              text not null,
  port              integer not null default 5060,
  -- udp or tcp
  transport         text not null default 'udp',
  username          text not null default '',
  -- Sealed with SECRET_KEY
  password          text,
  register          boolean not null default false,
  -- Whence calls may come, besides the addresses of the host
  allowed_addresses cidr[] not null default '{}',
  -- In the order of preference: PCMU, PCMA
  codecs            text[] not null default '{PCMU,PCMA}',
  -- In the addresses of those who call; '': the host
  from_domain       text not null default '',
  -- How much of the traffic it takes, beside the account's other trunks that are up
  weight            integer not null default 1,
  enabled           boolean not null default true,
  created           timestamptz not null default now(),
  modified          timestamptz not null default now(),
  primary key (account_id, uuid),
  unique (account_id, name)
);
create index sip_trunks_enabled on sip_trunks (uuid) where enabled;

-- Written by the carrier: each trunk is registered and watched by one process, while all that listen take its calls.
create table sip_trunk_states (
  account_id uuid not null,
  trunk      uuid not null,
  -- The number of its session lock
  owner      integer,
  report     json not null default '{}',
  reported   timestamptz,
  primary key (account_id, trunk),
  foreign key (account_id, trunk) references sip_trunks on delete cascade
) with (fillfactor = 50);
