-- How the link of an intro tells which intro it is (see match/link-code.ts), what the buttons of its messages do, and whom a
-- notification goes to after it failed or brought no reaction.
alter table chat_intros
  add column link_code text not null default 'auto' check (link_code in ('auto', 'always', 'never')),
  add column button_actions json not null default '{}',
  add column notify_chain json not null default '{}';

alter table intro_sessions
  -- When A got the reply again, and the message
  add column repeated_at timestamptz,
  add column repeat_message uuid,
  -- How many steps of the notification's chain were taken, when one failed, and whether the last recipient was reminded
  add column chain_step smallint not null default 0,
  add column notify_failed_at timestamptz,
  add column reminded_at timestamptz,
  -- When B, or the agent who was told instead, wrote or tapped a button
  add column reacted_at timestamptz;

-- A person's sessions, whatever became of them.
create index intro_sessions_person on intro_sessions (account_id, aparty_digits, uuid);

-- Whom notifications went to: a message or an SMS each.
create table intro_notices (
  account_id      uuid not null,
  message         uuid not null,
  session         uuid not null,
  chatapp_account uuid not null,
  -- CHATAPP or SMS
  channel         text not null,
  to_number       text not null,
  to_digits       text collate "C" not null,
  -- The agent, if it is not B
  agent           uuid,
  sent_at         timestamptz not null,
  failed_at       timestamptz,
  primary key (account_id, message),
  foreign key (account_id, session) references intro_sessions on delete cascade
);
create index intro_notices_session on intro_notices (account_id, session, message desc);
-- What somebody writes who was notified belongs to the latest notification.
create index intro_notices_person on intro_notices (account_id, chatapp_account, to_digits, message desc);
