-- What a token is for, and from where it may be used; null: from everywhere.
alter table tokens
  add column purpose text not null default '',
  add column allowed_networks text[];

-- How long sessions and new tokens of an account live; null: without an idle limit, and without end.
alter table accounts
  add column session_days integer not null default 30,
  add column session_idle_minutes integer,
  add column token_days integer;
