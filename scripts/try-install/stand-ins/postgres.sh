#!/usr/bin/env bash
# Makes the database at the first start, then becomes the server.
set -euo pipefail
export PATH="$(echo /usr/lib/postgresql/*/bin):$PATH" PGDATA=/var/lib/postgresql/data
mkdir -p /var/lib/postgresql /run/postgresql
chown postgres: /var/lib/postgresql /run/postgresql
as_postgres() { setpriv --reuid postgres --regid postgres --init-groups "$@"; }
if [[ ! -e $PGDATA/PG_VERSION ]]; then
  install -o postgres -m 0600 /dev/null /run/postgresql/password
  echo "$POSTGRES_PASSWORD" > /run/postgresql/password
  as_postgres initdb --username "$POSTGRES_USER" --pwfile /run/postgresql/password --auth-host scram-sha-256 --encoding UTF8 --locale C.UTF-8 >/dev/null
  rm /run/postgresql/password
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  echo "create database $POSTGRES_DB" | as_postgres postgres --single -D "$PGDATA" postgres >/dev/null
fi
exec setpriv --reuid postgres --regid postgres --init-groups postgres -c 'listen_addresses=*' "$@"
