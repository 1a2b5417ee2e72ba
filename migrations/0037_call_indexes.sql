-- A call writes three times and has five events or more: each index less is an entry less for every one of them.

-- events_kind has the kinds of calls, too, and they are of calls alone.
drop index events_call_kind;

-- Calls with any status but the last are in calls_under_way, and nearly all have the last. Without it, nothing that an answer
-- changes is in an index, and PostgreSQL can write it beside the row alone (HOT).
drop index calls_status;
