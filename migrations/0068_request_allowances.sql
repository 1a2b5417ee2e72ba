-- How much of its requests per minute each account has had, over all processes: each draws a part of what is left and lets requests in
-- by it. Nothing to be kept: after a crash of the server the minute begins anew, so nothing of it is written ahead.
create unlogged table request_allowances (
  account_id uuid primary key,
  -- When the account's minute began, by the database's clock.
  began timestamptz not null,
  -- What all processes have drawn in it, and the last of them alone.
  drawn bigint not null,
  granted bigint not null
) with (fillfactor = 50);
