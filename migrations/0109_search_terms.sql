-- The pieces that contacts, people, leads and others are found by, cut by a loop. The query that did it was planned anew for every row
-- that was written, which took most of the time of an import. The indexes stay as they are: the pieces are the same, and one that comes
-- twice is in an index once.

create or replace function search_terms(account_id uuid, words text) returns text[] language plpgsql immutable parallel safe as $$
declare
  mark text := right(account_id::text, 8);
  padded text := '  ' || regexp_replace(lower(left(words, 400)), '\s+', '  ', 'g');
  terms text[] := '{}';
begin
  for place in 1 .. coalesce(length(padded) - 2, 0) loop
    terms := terms || (mark || substr(padded, place, 3));
  end loop;
  return terms;
end
$$;
