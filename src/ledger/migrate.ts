import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely, type Migration, Migrator, PostgresDialect, sql } from 'kysely';
import { Pool } from 'pg';
import { errorCode } from '../domain/failure/error-code';
import { applicationRole, connectTimeoutMs, gatewayRole, schema } from './database';

/** SQLSTATE of what the user of the connection may not do. */
const insufficientPrivilege = '42501';

/**
 * Brings the schema up to date, as the owner that `url` names; safe to call from several processes at once.
 * Returns the names of the migrations applied now. Throws what the database said.
 */
export async function migrate(url: string): Promise<string[]> {
  const pool = new Pool({ connectionString: url, max: 1, connectionTimeoutMillis: connectTimeoutMs });
  pool.on('error', () => {});
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    for (const role of [applicationRole, gatewayRole]) await createRole(db, role);
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

async function createRole(db: Kysely<unknown>, role: string): Promise<void> {
  await sql
    .raw(
      `do $$ begin
         if not exists (select from pg_roles where rolname = '${role}') then create role ${role} nologin; end if;
       exception when duplicate_object or unique_violation then null; end $$;
       do $$ begin
         -- Who made the role may give it away and, since PostgreSQL 16, may not take it on before it is given to them.
         if not pg_has_role(current_user, '${role}', case when current_setting('server_version_num')::int >= 160000 then 'set' else 'member' end) then
           execute format('grant ${role} to %I', current_user);
         end if;
       end $$;`,
    )
    .execute(db)
    .catch((error) => {
      if (errorCode(error) !== insufficientPrivilege) throw error;
      throw new Error(
        `This database user may not make the role ${role} or may not take it on; somebody who may has to say, once: create role ${role} nologin; grant ${role} to <this user>;`,
        { cause: error },
      );
    });
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
