import { openPostgresFolder } from './postgres/open-postgres-folder';
import { postgresUrl, startPostgres } from './postgres/postgres-server';
import { freePort } from './process/free-port';
import { keepRunning } from './process/keep-running';
import { startOnFreePort } from './process/start-on-free-port';
import type { OwnServer, StackPlace } from './stack-part';

export interface DatabasePart {
  readonly databaseUrl: string;
  readonly own?: OwnServer<number>;
}

/** The given database, or the embedded one, started and kept running. */
export async function startDatabase(given: string | undefined, place: StackPlace): Promise<DatabasePart> {
  if (given !== undefined) return { databaseUrl: given };
  const tell = (text: string) => place.tell({ part: 'postgres', text });
  const folder = await openPostgresFolder(place.dataDir, tell);
  tell('starting');
  return startOnFreePort(async (first) => {
    const port = await freePort(first ? place.earlier?.postgres?.port : undefined);
    const kept = await keepRunning('PostgreSQL', () => startPostgres(folder, port), {
      tell,
      onRestart: place.onRestart,
    });
    tell('ready');
    return { databaseUrl: postgresUrl(folder, port), own: { kept, ports: port } };
  });
}
