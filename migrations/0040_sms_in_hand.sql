-- What a process has accepted to hand over at once, a row for a batch: its states are written when the other side has taken it, or
-- when something comes in between. A row of which all have their states has nothing to say any more, and is swept away.
create table sms_in_hand (
  account_id uuid not null,
  uuid uuid not null,
  link uuid not null,
  worker integer not null,
  created timestamptz not null default now(),
  sms uuid[] not null,
  callback_urls text[] not null,
  expire_at timestamptz[] not null,
  primary key (account_id, uuid)
);

-- Where every SMS stands. What has a state is read in the order of its indexes: that branch has no condition of its own.
create view sms_standings as
  select account_id, uuid, status from sms_states
  union all
  select in_hand.account_id, sms.uuid, 'QUEUED'
  from sms_in_hand as in_hand cross join lateral unnest(in_hand.sms) as sms (uuid)
  where not exists (
    select from sms_states as state where state.account_id = in_hand.account_id and state.uuid = sms.uuid);
