-- The processes that serve this database, for whoever runs them. A row counts while its process holds the liveness lock of its number.
create table processes (
  worker bigint primary key,
  host text not null,
  pid integer not null,
  version text not null,
  roles text[] not null,
  started timestamptz not null default now()
);
