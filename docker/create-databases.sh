#!/bin/sh
# Runs once, on an empty database folder: one owner and one database for each of the two users of this server.
set -eu
for name in temporal holdfast; do
  psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
    --set name="$name" --set password="$POSTGRES_PASSWORD" <<'SQL'
create role :"name" login createdb createrole password :'password';
create database :"name" owner :"name";
SQL
done
