-- Phones of the sandbox in a person's hand: held, answered, declined, and with keys that are pressed one by one.

-- Until when somebody holds a phone, in real time. Its calls wait for that person meanwhile.
create table sandbox_holds (
  account_id   uuid not null references accounts on delete cascade,
  phone_digits text collate "C" not null,
  held_until   timestamptz not null,
  primary key (account_id, phone_digits)
);

-- null: the person did not say when they hang up
alter table sandbox_calls alter column hangup_after_ms drop not null;

-- A leg is written down from its beginning, and a few times until it is over.
alter table sandbox_legs
  add column state      text not null default 'ENDED' check (state in ('RINGING', 'TALKING', 'ENDED')),
  -- {"sound", "since"}: what is heard at this moment
  add column hearing    json,
  -- The process that has it (the number of its session lock); null: none has taken it up yet
  add column carried_by bigint,
  -- When that process last said so, and what time it was in the account's sandbox
  add column touched_at timestamptz not null default now(),
  add column seen_at    timestamptz,
  alter column hung_up_by drop not null,
  alter column ended_at drop not null;
alter table sandbox_legs alter column state drop default;
alter table sandbox_legs set (fillfactor = 70);
-- Few are under way at a time.
create index sandbox_legs_live on sandbox_legs (account_id, uuid) where state <> 'ENDED';

-- What people do with their hands, until the process that has the leg has done it.
create table sandbox_acts (
  account_id uuid not null,
  uuid       uuid not null,
  leg        uuid not null,
  act        text not null,
  keys       text not null default '',
  primary key (account_id, uuid),
  foreign key (account_id, leg) references sandbox_legs on delete cascade
);
create index sandbox_acts_leg on sandbox_acts (account_id, leg);

-- Which message one quotes or reacts to.
alter table sandbox_messages add column quotes uuid;
update sandbox_messages set quotes = (content -> 'reaction' ->> 'message_uuid')::uuid where type = 'REACTION';
create index sandbox_messages_reactions on sandbox_messages (account_id, quotes) where type = 'REACTION';

-- Templates and flows as the sandbox was given them: without them a phone could not show what they say.
create table sandbox_templates (
  account_id    uuid not null references accounts on delete cascade,
  id            text collate "C" not null,
  number_digits text collate "C" not null,
  name          text collate "C" not null,
  language_code text collate "C" not null,
  components    json not null,
  primary key (account_id, id),
  unique (account_id, number_digits, name, language_code)
);
insert into sandbox_templates
select template.account_id, template.carrier_template_id, sender.digits, template.name, template.language_code, template.components
from message_templates as template
join chatapp_accounts as sender on sender.account_id = template.account_id and sender.uuid = template.chatapp_account
where sender.carrier = 'sandbox' and template.carrier_template_id is not null and template.status <> 'DELETED'
on conflict do nothing;

create table sandbox_flows (
  account_id    uuid not null references accounts on delete cascade,
  id            text collate "C" not null,
  number_digits text collate "C" not null,
  name          text collate "C" not null,
  -- The flow's JSON; null: it has none
  definition    json,
  primary key (account_id, id)
);
create index sandbox_flows_name on sandbox_flows (account_id, number_digits, name, id);
insert into sandbox_flows
select flow.account_id, flow.flow_id, flow.digits, flow.name, flow.definition
from flows as flow
join chatapp_accounts as sender on sender.account_id = flow.account_id and sender.uuid = flow.chatapp_account
where sender.carrier = 'sandbox' and flow.flow_id is not null
on conflict do nothing;
