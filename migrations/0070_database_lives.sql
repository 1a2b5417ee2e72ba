-- The lives of the database server as its clients saw them: one begins with a start of the server and with each promotion of a standby,
-- and then nobody is taken for dead until everybody has had the time to come back.
create table database_lives (
  timeline text not null,
  server_started timestamptz not null,
  first_seen timestamptz not null default now(),
  primary key (timeline, server_started)
);
