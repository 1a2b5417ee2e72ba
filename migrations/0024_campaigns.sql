-- Campaigns, their launches, and what became of each recipient.

create table campaigns (
  account_id      uuid not null references accounts on delete cascade,
  uuid            uuid not null,
  name            text not null,
  channel         text not null check (channel in ('CHATAPP', 'SMS')),
  sender          text not null,
  -- What is said: a template with its components (CHATAPP), or a text
  template        json,
  text            text not null default '',
  -- What stands for a placeholder that a contact has no value for
  fallbacks       json not null default '{}',
  lists           uuid[] not null,
  excluded_lists  uuid[] not null default '{}',
  rate_per_second integer,
  -- null: the account's; false in the API is {} here: none at all
  quiet_hours     json,
  track_links     boolean not null default false,
  -- When a launch without a moment of its own begins
  send_at         timestamptz,
  meta_data       json not null default '{}',
  created         timestamptz not null default now(),
  modified        timestamptz not null default now(),
  deleted_at      timestamptz,
  primary key (account_id, uuid)
);
create index campaigns_channel on campaigns (account_id, channel, uuid) where deleted_at is null;

-- One per launch. SCHEDULED → RUNNING ⇄ PAUSED → COMPLETED or CANCELLED.
create table campaign_logs (
  account_id      uuid not null references accounts on delete cascade,
  uuid            uuid not null,
  campaign        uuid not null,
  status          text not null,
  -- Why it was paused or cancelled, in words
  reason          text not null default '',
  -- The campaign as it was launched: changes affect the next launch
  snapshot        json not null,
  start_at        timestamptz not null,
  -- Who is on the lists at this moment is the audience
  audience_at     timestamptz,
  audience        bigint,
  started_at      timestamptz,
  finished_at     timestamptz,
  -- The last contact of the audience that was taken; null: none yet
  cursor          uuid,
  -- The whole audience was taken; what is held still has to leave
  is_expanded     boolean not null default false,
  -- How many could be fed at that moment, by the campaign's own rate
  rate_tokens     double precision not null default 0,
  rate_at         timestamptz not null default now(),
  -- How many messages had left at some moments of the last minute: [[milliseconds, count], …]
  pace            json not null default '[]',
  -- Failures of messages up to this one were looked at already: it was resumed after them
  resumed_after   uuid,
  created         timestamptz not null default now(),
  modified        timestamptz not null default now(),
  primary key (account_id, uuid)
) with (fillfactor = 50);
create index campaign_logs_campaign on campaign_logs (account_id, campaign, uuid);
create index campaign_logs_status on campaign_logs (account_id, status, uuid);
create index campaign_logs_open on campaign_logs (status, start_at) where status in ('SCHEDULED', 'RUNNING', 'PAUSED');
-- A campaign runs once at a time: of two launches at once one is refused.
create unique index campaign_logs_one on campaign_logs (account_id, campaign) where status in ('SCHEDULED', 'RUNNING', 'PAUSED');

-- What became of each person of an audience that the launch has come to. The key is the promise that nobody is written to twice.
create table campaign_recipients (
  account_id   uuid not null,
  campaign_log uuid not null,
  -- Of one that was deleted, or whose number somebody else of the audience had before: the contact's id
  digits       text collate "C" not null,
  contact      uuid not null,
  -- HELD until due_at (quiet hours), QUEUED as a message, SKIPPED for a reason
  state        text not null,
  reason       text not null default '',
  -- The reason in words
  description  text not null default '',
  due_at       timestamptz,
  message      uuid,
  -- When the person first answered
  replied_at   timestamptz,
  created      timestamptz not null default now(),
  primary key (account_id, campaign_log, digits)
) partition by range (campaign_log);
create index campaign_recipients_held on campaign_recipients (account_id, campaign_log, due_at) where state = 'HELD';
create index campaign_recipients_skipped on campaign_recipients (account_id, campaign_log, reason, contact) where state = 'SKIPPED';
-- Whose answer an inbound message may be.
create index campaign_recipients_digits on campaign_recipients (account_id, digits, campaign_log) where state = 'QUEUED';
select ensure_partitions('campaign_recipients', now() + interval '3 months');

-- A launch is told from its messages: what waits can be held back or cancelled, what failed can be looked at. What is held has
-- priority 2, where delivery does not look; 3: its launch was cancelled while it was being handed over.
alter table message_states add column campaign_log uuid;
create index message_states_campaign on message_states (account_id, campaign_log, status, uuid)
  where campaign_log is not null;
alter table sms_states add column campaign_log uuid;
-- Of a launch that is held back, what waits has priority 2: nobody takes that, and its due_at stays what it was.
create index sms_states_launch_waiting on sms_states (account_id, campaign_log, uuid)
  where status = 'QUEUED' and campaign_log is not null;
create index sms_states_launch_ended on sms_states (account_id, campaign_log, uuid)
  where status <> 'QUEUED' and campaign_log is not null;

-- Receipts are looked up by these two; a link is one account's, so its column would only make the index larger.
drop index sms_parts_carrier_id;
create index sms_parts_carrier_id on sms_parts (link, carrier_id);

-- Parts are joined as bytes, before they are read: phones cut through characters. null: the link told only the text.
alter table sms_inbound_parts
  add column data_coding smallint,
  add column body bytea;

-- Links of campaigns lead to an address, not to a chat.
alter table links
  alter column chat_intro drop not null,
  add column campaign_log uuid,
  add column message uuid,
  add column url text,
  drop constraint links_check,
  drop constraint links_kind_check,
  add constraint links_kind_check check (kind in ('INTRO', 'BPARTY', 'APARTY', 'CAMPAIGN')),
  add constraint links_check check (case kind
    when 'INTRO' then chat_intro is not null and session is null
    when 'CAMPAIGN' then campaign_log is not null and url is not null
    else chat_intro is not null and session is not null end);
create index links_campaign_log on links (account_id, campaign_log) where campaign_log is not null;
