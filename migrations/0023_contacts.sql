-- The people a business writes to, the lists they are on, and counts that are read in constant time.

-- What `name`, `attribute` and `q` look for: the words of the name in small letters, and each attribute. Every term begins with
-- a mark of the account, so that one index finds them within it and another account's rows cost nothing. Long ones are cut, and
-- two accounts may share a mark: whoever searches compares the row as well.
create function contact_terms(account_id uuid, name text, attributes jsonb)
returns tsvector language sql immutable parallel safe as $$
  select array_to_tsvector(
    array(select right(account_id::text, 8) || left(word, 100) from string_to_table(lower(name), ' ') as word where word <> '')
    || array(select right(account_id::text, 8) || '=' || left(key || ':' || value, 200) from jsonb_each_text(attributes)))
$$;

-- Names in which every one of these words begins a word. Immutable, so that it is known when the plan is made.
create function contact_words(account_id uuid, words text)
returns tsquery language sql immutable parallel safe as $$
  select string_agg('''' || replace(replace(right(account_id::text, 8) || left(word, 100), '\', '\\'), '''', '''''') || ''':*', ' & ')::tsquery
  from string_to_table(lower(words), ' ') as word where word <> ''
$$;

create table contacts (
  account_id    uuid not null references accounts on delete cascade,
  uuid          uuid not null,
  -- As it was written, and its digits, which are what is compared: one person, one row
  phone_number  text not null,
  digits        text collate "C" not null,
  name          text not null default '',
  -- '' where it is not known
  language_code text not null default '',
  time_zone     text not null default '',
  attributes    jsonb not null default '{}',
  created       timestamptz not null default now(),
  modified      timestamptz not null default now(),
  primary key (account_id, uuid),
  unique (account_id, digits)
);
create index contacts_language on contacts (account_id, language_code, uuid);
create index contacts_terms on contacts using gin (contact_terms(account_id, name, attributes));

create table lists (
  account_id  uuid not null references accounts on delete cascade,
  uuid        uuid not null,
  name        text not null,
  description text not null default '',
  created     timestamptz not null default now(),
  modified    timestamptz not null default now(),
  -- A deleted list is not seen any more; a campaign that runs goes on
  deleted_at  timestamptz,
  primary key (account_id, uuid)
);
create index lists_deleted on lists (deleted_at) where deleted_at is not null;
create unique index lists_name on lists (account_id, lower(name)) where deleted_at is null;

-- Who is on which list, and who was: a campaign that runs goes to those who were on its lists when it began. Ids only, so that
-- nothing of a deleted person stays.
create table list_members (
  account_id uuid not null,
  list       uuid not null,
  contact    uuid not null,
  added_at   timestamptz not null default now(),
  removed_at timestamptz,
  primary key (account_id, list, contact)
);
-- Those who are on a list now, however many were.
create index list_members_present on list_members (account_id, list, contact) where removed_at is null;
create index list_members_contact on list_members (account_id, contact);
create index list_members_removed on list_members (removed_at) where removed_at is not null;

-- How many there are of something, kept up to date by whoever changes it: read without counting.
create table tallies (
  account_id uuid not null,
  -- A list, a launch of a campaign
  subject    uuid not null,
  name       text collate "C" not null,
  count      bigint not null,
  primary key (account_id, subject, name)
) with (fillfactor = 30);
