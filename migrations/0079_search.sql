-- Search by any part of a name, a number or a reference.
--
-- Each text is cut into pieces of three characters, and an index knows which rows have which pieces. Every piece carries the end of
-- the account's id, so that a search costs what the account has, and not what all accounts have. No extension is needed for it:
-- pg_trgm is not there on every server, and its pieces know no account. A word begins with two spaces, by which a beginning of one
-- or two characters is found, too.

create function search_terms(account_id uuid, words text) returns text[] language sql immutable parallel safe as $$
  select array(
    select distinct right(account_id::text, 8) || substr(padded, place, 3)
    from (select '  ' || regexp_replace(lower(left(words, 400)), '\s+', '  ', 'g') as padded) as whole,
      generate_series(1, length(padded) - 2) as place)
$$;

-- The pieces that all have to be there.
create function search_query(account_id uuid, sought text) returns text[] language sql immutable parallel safe as $$
  select array(
    select distinct right(account_id::text, 8) || substr(piece, place, 3)
    from regexp_split_to_table(lower(left(sought, 200)), '\s+') as word,
      lateral (select case length(word) when 1 then '  ' || word when 2 then ' ' || word else word end as piece) as padded,
      generate_series(1, length(piece) - 2) as place
    where word <> '')
$$;

-- Whether the words are really there, and not only their pieces.
create function search_holds(words text, sought text) returns boolean language sql immutable parallel safe as $$
  select coalesce(bool_and(strpos(' ' || regexp_replace(lower(words), '\s+', ' ', 'g'),
    case when length(word) < 3 then ' ' || word else word end) > 0), true)
  from regexp_split_to_table(lower(left(sought, 200)), '\s+') as word where word <> ''
$$;

create index contacts_search on contacts using gin (search_terms(account_id, digits || ' ' || name));
create index chat_people_search on chat_people using gin (search_terms(account_id, digits || ' ' || name));
create index number_callers_search on number_callers using gin (search_terms(account_id, caller));
create index leads_search on leads using gin (search_terms(account_id, digits || ' ' || name));
create index chat_intros_search on chat_intros using gin (search_terms(account_id, coalesce(reference_id, '') || ' ' || shortcode))
  where deleted_at is null;
create index campaigns_search on campaigns using gin (search_terms(account_id, name)) where deleted_at is null;
create index message_templates_search on message_templates using gin (search_terms(account_id, name));
create index flows_search on flows using gin (search_terms(account_id, name));
create index lists_search on lists using gin (search_terms(account_id, name || ' ' || description)) where deleted_at is null;

-- Lists in the order of names.
create index contacts_name on contacts (account_id, lower(name), uuid);
create index campaigns_name on campaigns (account_id, lower(name), uuid) where deleted_at is null;

-- The digits of people whose name or number has these words: contacts, people who wrote, and, for digits, people who called. Of many, those
-- who came last.
create function search_people(account uuid, sought text, is_number boolean, may_name boolean, most integer)
returns setof text language sql stable parallel safe as $$
  select digits from (
    (select digits from contacts where account_id = account and (may_name or is_number)
      and search_terms(account_id, digits || ' ' || name) @> search_query(account, sought) and search_holds(digits || ' ' || name, sought)
      order by uuid desc limit most)
    union
    (select digits from chat_people where account_id = account
      and search_terms(account_id, digits || ' ' || name) @> search_query(account, sought) and search_holds(digits || ' ' || name, sought)
      order by last_inbound desc limit most)
    union
    (select caller from number_callers where account_id = account and is_number
      and search_terms(account_id, caller) @> search_query(account, sought) and search_holds(caller, sought)
      order by day desc limit most)
  ) as people limit most
$$;
