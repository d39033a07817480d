import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely, type Migration, Migrator, PostgresDialect, sql } from 'kysely';
import { Pool, types } from 'pg';

/** Owner of no table; what the application runs as. It may add to history and may not change it. */
const applicationRole = 'holdfast_app';
const schema = 'holdfast';
const int8Oid = 20;
/** Long enough for a database that is just starting, short enough that a person sees the error. */
const connectTimeoutMs = 5_000;
/**
 * A server that is gone without a word leaves a connection that answers nothing. Statements take milliseconds, and a row lock
 * is held for no longer than a transaction.
 */
const queryTimeoutMs = 20_000;
/** One connection for each activity that can be inside a transaction at once; they wait on the disk, not on CPU. */
const poolMax = 20;

/** Opens a pool as the application's role, with the ledger's schema as search path. Keys (int8) come as numbers. */
export function openLedgerPool(url: string, applicationName = 'holdfast'): Pool {
  const pool = new Pool({
    connectionString: url,
    max: poolMax,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: applicationName,
    keepAlive: true,
    query_timeout: queryTimeoutMs,
    // Statements that belong together are sent together; the server answers them in order.
    pipeline: true,
    // Every statement of a step goes by key, so its plan is the same for all values; making it anew costs more than running it.
    options: `-c role=${applicationRole} -c search_path=${schema} -c plan_cache_mode=force_generic_plan`,
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === int8Oid ? Number : types.getTypeParser(oid, format as 'text')) as typeof types.getTypeParser,
    },
  });
  // A lost idle connection is not an event here: the next query opens another, or fails with a clear cause.
  pool.on('error', () => {});
  // A connection that is lost while somebody holds it fails their statement, and says so again to nobody: without a
  // listener that ends the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/**
 * Brings the schema up to date, as the owner that `url` names; safe to call from several processes at once.
 * Returns the names of the migrations applied now. Throws what the database said.
 */
export async function migrate(url: string): Promise<string[]> {
  const pool = new Pool({ connectionString: url, max: 1, connectionTimeoutMillis: connectTimeoutMs });
  pool.on('error', () => {});
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    await createRole(db);
    await sql`create schema if not exists ${sql.id(schema)}`.execute(db);
    const migrator = new Migrator({
      db,
      provider: { getMigrations: async () => sqlMigrations() },
      migrationTableSchema: schema,
    });
    const { error, results } = await migrator.migrateToLatest();
    if (error) throw error;
    return (results ?? []).map((result) => result.migrationName);
  } finally {
    await db.destroy();
  }
}

async function createRole(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `do $$ begin
         if not exists (select from pg_roles where rolname = '${applicationRole}') then create role ${applicationRole} nologin; end if;
       exception when duplicate_object or unique_violation then null; end $$;
       do $$ begin
         -- Who made the role may give it away and, since PostgreSQL 16, may not take it on before it is given to them.
         if not pg_has_role(current_user, '${applicationRole}', case when current_setting('server_version_num')::int >= 160000 then 'set' else 'member' end) then
           execute format('grant ${applicationRole} to %I', current_user);
         end if;
       end $$;`,
    )
    .execute(db);
}

/** Numbered SQL files, never edited once landed. */
function sqlMigrations(): Record<string, Migration> {
  const folder = join(__dirname, 'migrations');
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
  return Object.fromEntries(
    files.map((file) => [
      file.replace(/\.sql$/, ''),
      {
        async up(db: Kysely<unknown>) {
          await sql.raw(`set local search_path = ${schema};\n${readFileSync(join(folder, file), 'utf8')}`).execute(db);
        },
      },
    ]),
  );
}
