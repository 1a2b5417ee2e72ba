-- How much a pass over the content of an account has to look at, counted when it begins, and how much of that it has seen.
-- Beside that, when somebody last went on with it: one that was abandoned is found by it.
alter table content_passes
  add column total bigint,
  add column seen bigint not null default 0,
  add column noted timestamptz;

-- For those that are under way, however many accounts ever had one.
create index content_passes_unfinished on content_passes (coalesce(noted, turned)) where finished is null;

-- The name in the certificate that callers by a trunk have to show; null: their address or password will do.
alter table sip_trunks add column tls_client_name text;
