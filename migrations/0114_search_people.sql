-- As before, in a language whose statements Citus takes; planned anew each time, as what a client looks for decides which index is best.
create or replace function search_people(account uuid, sought text, is_number boolean, may_name boolean, most integer)
returns setof text language plpgsql stable parallel safe as $$
begin
  return query execute '
    select digits from (
      (select digits from contacts where account_id = $1 and ($4 or $3)
        and search_terms(account_id, digits || '' '' || name) @> search_query($1, $2) and search_holds(digits || '' '' || name, $2)
        order by uuid desc limit $5)
      union
      (select digits from chat_people where account_id = $1
        and search_terms(account_id, digits || '' '' || name) @> search_query($1, $2) and search_holds(digits || '' '' || name, $2)
        order by last_inbound desc limit $5)
      union
      (select caller from number_callers where account_id = $1 and $3
        and search_terms(account_id, caller) @> search_query($1, $2) and search_holds(caller, $2)
        order by day desc limit $5)
    ) as people limit $5'
  using account, sought, is_number, may_name, most;
end
$$;
