-- Chat intros (the stored configuration behind a chat link) and the short links themselves.

create table chat_intros (
  account_id                uuid not null references accounts on delete cascade,
  uuid                      uuid not null,
  -- No foreign key: an intro and its logs outlive the sender they were made for.
  chatapp_account           uuid not null,
  -- As the caller wrote it, and its digits, which are what is compared
  chatapp_number            text not null,
  chatapp_digits            text collate "C" not null,
  -- The code of chat_link; it never changes
  shortcode                 text collate "C" not null,
  reference_id              text,
  -- What an inbound text is compared with: reference_id, and a hash of the expected text as the link fills it in, both
  -- normalised (NFKC, case, white space). null: there is nothing to compare with.
  reference_key             text collate "C",
  expected_hash             text collate "C",
  expected_message_template text not null,
  reply_message_template    text not null,
  reply_message_file_url    text,
  reply_type                text not null,
  -- json, not jsonb: what the caller sent is returned exactly as it came
  reply_data                json not null,
  reply_alt_data            json not null,
  intro_message_template    text not null,
  notify_type               text,
  -- Kept whole even while notify_type is null, so that setting notify_type later is enough
  notify_data               json not null,
  notify_delay              integer not null check (notify_delay between 0 and 86400),
  aparty_notify_data        json not null,
  aparty_intro_data         json not null,
  bparty_expiry_link        boolean not null,
  extra_variable_data       json not null,
  meta_data                 json not null,
  -- When a person last opened the link
  opened_at                 timestamptz,
  created                   timestamptz not null default now(),
  modified                  timestamptz not null default now(),
  -- Deleted intros stay: their links answer 410 and their logs can still be read.
  deleted_at                timestamptz,
  primary key (account_id, uuid)
);
-- Matching an inbound message: of the intros that fit, the one whose link was opened last wins, then the newest. The
-- winner stands first in these indexes, so it is found at the same cost however many intros share one text.
create index chat_intros_expected on chat_intros
  (account_id, chatapp_account, expected_hash, opened_at desc nulls last, uuid desc)
  where deleted_at is null and expected_hash is not null;
create index chat_intros_reference on chat_intros
  (account_id, chatapp_account, reference_key, opened_at desc nulls last, uuid desc)
  where deleted_at is null and reference_key is not null;
-- The filters of the list, each ending in uuid so that a page is a range scan however deep it is.
create index chat_intros_chatapp_number on chat_intros (account_id, chatapp_digits, uuid) where deleted_at is null;
create index chat_intros_reference_list on chat_intros (account_id, reference_key, uuid)
  where deleted_at is null and reference_key is not null;

-- Whoever opens a short link has nothing but its code, so the code alone is the key, over all accounts.
create table links (
  -- Compared byte by byte: codes are ASCII, and a locale's order costs time and means nothing here.
  shortcode  text collate "C" primary key,
  account_id uuid not null references accounts on delete cascade,
  -- INTRO opens the business's chat, BPARTY the chat from B to A, APARTY the chat from A to B
  kind       text not null check (kind in ('INTRO', 'BPARTY', 'APARTY')),
  chat_intro uuid not null,
  -- The session a BPARTY or APARTY link was made for
  session    uuid,
  -- A link for one use is spent once used_at is set.
  single_use boolean not null default false,
  used_at    timestamptz,
  expires    timestamptz,
  created    timestamptz not null default now(),
  check ((kind = 'INTRO') = (session is null))
);
create index links_chat_intro on links (account_id, chat_intro);
