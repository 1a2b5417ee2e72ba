-- By which a start knows whether SECRET_KEY is the one that stored secrets were encrypted with: a constant, sealed with it. Wrong keys
-- used to start as ready, and failed with the first link, trunk or webhook that needed a secret.
create table secret_key_check (
  is_only boolean primary key default true check (is_only),
  sealed text not null,
  created timestamptz not null default now()
);
