-- The life of chat intros: one session for each person (A) who meets an intro.

create table intro_sessions (
  account_id          uuid not null,
  uuid                uuid not null,
  chat_intro          uuid not null,
  chatapp_account     uuid not null,
  -- The person who opened the link: as they write their number, and what they are compared by
  aparty_number       text not null,
  aparty_digits       text collate "C" not null,
  aparty_name         text not null default '',
  -- STARTED, REPLIED, NOTIFIED, CONNECTED, EXPIRED; see src/domains/intros/session-states.ts
  status              text not null,
  -- One person has one open session with an intro; it closes after seven quiet days
  open                boolean not null default true,
  -- The intro as it was at the start: a later change is for later sessions
  intro               json not null,
  -- What placeholders are filled with: `given` by the start call, `told` by the person's message, `answers` to flows and buttons
  variables           json not null,
  -- What a flow that belongs to this session comes back with
  flow_token          text collate "C" not null,
  bparty_shortcode    text collate "C" not null default '',
  aparty_shortcode    text collate "C",
  reply_message       uuid,
  notify_message      uuid,
  aparty_message      uuid,
  -- By the time of the sender's carrier
  started_at          timestamptz not null,
  replied_at          timestamptz,
  notified_at         timestamptz,
  -- B opened its link; A opened its link to B
  connected_at        timestamptz,
  aparty_connected_at timestamptz,
  last_activity_at    timestamptz not null,
  -- When B is to be notified, and A with it; null: nothing is outstanding
  notify_due_at       timestamptz,
  created             timestamptz not null default now(),
  modified            timestamptz not null default now(),
  primary key (account_id, uuid)
) with (fillfactor = 70);
-- Two messages of one person at the same moment start one session.
create unique index intro_sessions_open on intro_sessions (account_id, chat_intro, aparty_digits) where open;
-- A message that names no intro belongs to the session its writer was last active in.
create index intro_sessions_aparty on intro_sessions (account_id, chatapp_account, aparty_digits, last_activity_at desc)
  where open;
create index intro_sessions_flow_token on intro_sessions (account_id, flow_token) where open;
-- What is to be done when: notifications, and the end after seven quiet days.
create index intro_sessions_notify on intro_sessions (account_id, chatapp_account, notify_due_at)
  where notify_due_at is not null;
create index intro_sessions_quiet on intro_sessions (account_id, chatapp_account, last_activity_at) where open;
create index intro_sessions_intro on intro_sessions (account_id, chat_intro, uuid);

-- An intro is also found by the code of its link.
create index chat_intros_shortcode on chat_intros (account_id, chatapp_account, shortcode) where deleted_at is null;

-- The story of intros is a list of its own, and so are the steps of their sessions.
create index events_chat_intro on events (account_id, uuid) where subject_type = 'chat_intro';
