-- Who does not want to hear from an account, over all channels. A row is there while the person is opted out; every change is
-- an event of the timeline, so the whole history of a number can be read there.

create table opt_outs (
  account_id   uuid not null references accounts on delete cascade,
  uuid         uuid not null,
  -- As it came, and its digits, which are what is compared
  phone_number text not null,
  digits       text collate "C" not null,
  channel      text not null check (channel in ('ALL', 'CHATAPP', 'SMS', 'VOICE')),
  -- How we know: API, KEYWORD, PLATFORM, CSV …, and the person's own words if there were any
  source       text not null,
  text         text not null default '',
  created      timestamptz not null default now(),
  primary key (account_id, uuid),
  unique (account_id, digits, channel)
);

create index opt_outs_channel on opt_outs (account_id, channel, uuid);

-- The history of opt-outs is a list of its own.
create index events_opt_out on events (account_id, uuid) where subject_type = 'opt_out';
create index events_opt_out_number on events (account_id, (data ->> 'digits'), uuid) where subject_type = 'opt_out';
