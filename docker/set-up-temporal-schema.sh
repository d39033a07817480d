#!/bin/sh
# Makes Temporal's two databases and brings their schemas to this server's version; run again, it adds what is missing.
set -eu
schema=/etc/temporal/schema/postgresql/v12
set_up() {
  database=$1
  folder=$2
  temporal-sql-tool --database "$database" create-database || echo "database $database is there"
  temporal-sql-tool --database "$database" setup-schema --version 0.0 || echo "database $database has a schema"
  temporal-sql-tool --database "$database" update-schema --schema-dir "$schema/$folder/versioned"
}
set_up temporal temporal
set_up temporal_visibility visibility
