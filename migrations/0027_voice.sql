-- Calls, those of them that are under way, and the phones of the sandbox.

-- One row for each call: what is known while it lasts, and its detail record afterwards. It is written a few times only, when
-- it starts, is answered and ends; what changes every few seconds is in calls_under_way.
create table calls (
  account_id        uuid not null,
  uuid              uuid not null,
  direction         text not null check (direction in ('OUTBOUND', 'INBOUND')),
  carrier           text not null,
  -- The carrier's own id
  carrier_call_id   text not null default '',
  -- Our number: the one that was called, or the one that the call is made from
  number            text not null,
  number_digits     text collate "C" not null,
  -- As it was written; '': the caller withheld it
  from_number       text not null,
  to_number         text not null,
  from_digits       text collate "C" not null,
  status            text not null check (status in ('QUEUED', 'RINGING', 'IN_PROGRESS', 'ENDED')),
  result            text check (result in ('ANSWERED', 'MISSED', 'ABANDONED', 'BUSY', 'VOICEMAIL', 'REJECTED', 'FAILED')),
  -- What an outbound call is for
  bridge_to         text not null default '',
  tts               text not null default '',
  audio_file        text not null default '',
  record            boolean not null default false,
  timeout_seconds   smallint not null default 25,
  meta_data         json not null default '{}',
  -- The answer point: who was rung last, and answered if anybody did
  target            text not null default '',
  route             text not null default '',
  digits            text not null default '',
  whispered         boolean not null default false,
  -- By the time of the carrier
  started_at        timestamptz,
  answered_at       timestamptz,
  ended_at          timestamptz,
  ring_seconds      integer not null default 0,
  talk_seconds      integer not null default 0,
  total_seconds     integer not null default 0,
  hung_up_by        text not null default '',
  sip_code          smallint,
  description       text not null default '',
  -- What could not be done and was left out, such as an audio file that is missing
  notes             text[] not null default '{}',
  call_tracking     text not null default '',
  first_time_caller boolean,
  caller_country    text not null default '',
  voicemail         boolean not null default false,
  -- null: there is no recording; its file is removed after the account's retention time
  recording_seconds integer,
  created           timestamptz not null default now(),
  modified          timestamptz not null default now(),
  primary key (account_id, uuid)
) partition by range (uuid);
-- One index per filter of the lists, each ending in uuid so that a page is a range scan however deep it is.
create index calls_number on calls (account_id, number_digits, uuid);
create index calls_from on calls (account_id, from_digits, uuid);
create index calls_direction on calls (account_id, direction, uuid);
create index calls_status on calls (account_id, status, uuid);
create index calls_result on calls (account_id, result, uuid) where result is not null;
-- Whether somebody called a number before.
create index calls_acquaintance on calls (account_id, number_digits, from_digits, uuid) where direction = 'INBOUND';
-- Recordings whose time is over.
create index calls_recording on calls (account_id, uuid) where recording_seconds is not null;

select ensure_partitions('calls', now() + interval '3 months', ' with (fillfactor = 70)');

-- Calls that are not over: who has their legs. A call without an owner waits to be dialled, or to be taken up. The owner writes
-- every few seconds that it still has them; the calls of one that stopped doing so are closed by whoever looks next.
create table calls_under_way (
  account_id uuid not null references accounts on delete cascade,
  uuid       uuid not null,
  direction  text not null,
  -- The number of the process's session lock
  claimed_by integer,
  touched_at timestamptz not null default now(),
  -- The same moment by the time of the carrier: until then the people are known to have talked
  seen_at    timestamptz,
  -- Somebody asked for its end
  hang_up    boolean not null default false,
  created    timestamptz not null default now(),
  primary key (account_id, uuid)
) with (fillfactor = 50);
create index calls_under_way_waiting on calls_under_way (created) where claimed_by is null;

-- The voice call log, with an index per filter.
create index events_call on events (account_id, uuid) where subject_type = 'call';
create index events_call_kind on events (account_id, kind, uuid) where subject_type = 'call';
create index events_call_number on events (account_id, (data ->> 'number'), uuid) where subject_type = 'call';

-- Calls that people of the sandbox are about to make, until a process has taken them up.
create table sandbox_calls (
  account_id      uuid not null references accounts on delete cascade,
  uuid            uuid not null,
  from_number     text not null,
  to_number       text not null,
  -- What they press when they are asked; a comma ends what they press at one time
  digits          text not null,
  hangup_after_ms integer not null,
  primary key (account_id, uuid)
);

-- What the phones of the sandbox went through: written when a person's side of a call is over.
create table sandbox_legs (
  account_id   uuid not null references accounts on delete cascade,
  uuid         uuid not null,
  direction    text not null,
  phone        text not null,
  phone_digits text collate "C" not null,
  -- The number that the phone called, or showed when it rang
  other        text not null,
  outcome      text not null,
  hung_up_by   text not null,
  heard        json not null,
  pressed      text not null,
  started_at   timestamptz not null,
  answered_at  timestamptz,
  ended_at     timestamptz not null,
  created      timestamptz not null default now(),
  primary key (account_id, uuid)
);
create index sandbox_legs_phone on sandbox_legs (account_id, phone_digits, uuid);
