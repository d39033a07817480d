import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { StackAddresses } from './attach';
import type { ProgramSources } from './programs/find-program';
import { takeStackLock } from './stack-lock';
import type { OnProgress } from './stack-progress';
import { type DatabasePart, startDatabase } from './start-database';
import { startTemporal, type TemporalPart } from './start-temporal';
import { readStackState, type StackState, writeStackState } from './state-file';

export { StackBusyError } from './stack-lock';

export interface StackOptions {
  /** Everything that survives is in here: databases, logs, state. Made where it is missing. */
  readonly dataDir: string;
  /** Replaces the embedded PostgreSQL. */
  readonly databaseUrl?: string | undefined;
  /** Replaces the embedded Temporal. */
  readonly temporalAddress?: string | undefined;
  /** The namespace at `temporalAddress`; the embedded one has only `default`. */
  readonly namespace?: string | undefined;
  readonly programs?: ProgramSources | undefined;
  readonly onProgress?: OnProgress | undefined;
}

export interface Stack extends StackAddresses {
  /** Ends both servers in order and frees the data folder. Can be called again. */
  stop(): Promise<void>;
}

/**
 * Starts what is not given, on 127.0.0.1, and keeps it running until `stop`: a server that dies is started again on its
 * ports. Migrations are the caller's. Throws StackBusyError where another process runs this data folder; after any
 * throw nothing of ours runs.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const dataDir = resolve(options.dataDir);
  // Others may enter: under root, PostgreSQL is another user. What is secret has a mode of its own.
  await mkdir(dataDir, { recursive: true, mode: 0o755 });
  const lock = await takeStackLock(dataDir);
  let publish = (): Promise<void> => Promise.resolve(); // nothing to say before both serve
  const place = {
    dataDir,
    tell: options.onProgress ?? (() => {}),
    earlier: await readStackState(dataDir),
    onRestart: () => void publish(),
  };
  const { temporalAddress: address, namespace, programs = {} } = options;
  const [database, temporal] = await Promise.allSettled([
    startDatabase(options.databaseUrl, place),
    startTemporal({ address, namespace, programs }, place),
  ]);
  const endAll = async () => {
    const parts = [database, temporal].flatMap((part) => (part.status === 'fulfilled' ? [part.value] : []));
    await Promise.all(parts.map((part) => part.own?.kept.stop()));
    await lock.release();
  };
  if (database.status === 'rejected' || temporal.status === 'rejected') {
    await endAll();
    throw database.status === 'rejected' ? database.reason : temporal.status === 'rejected' && temporal.reason;
  }

  let written: Promise<void> = Promise.resolve(); // one write at a time, in order
  const write = (ready: boolean) => {
    const now = { ...state(lock.holder, database.value, temporal.value), ready };
    written = written.then(() => writeStackState(dataDir, now));
    return written;
  };
  publish = () =>
    write(true).catch((error: unknown) => place.tell({ part: 'stack', text: `state.json: ${String(error)}` }));
  await write(true);
  const { own: _, ...addresses } = { ...database.value, ...temporal.value };
  return {
    ...addresses,
    stop: async () => {
      publish = () => Promise.resolve();
      await write(false).catch(() => {}); // without it the next start only loses the ports
      await endAll();
    },
  };
}

function state(owner: StackState['owner'], database: DatabasePart, temporal: TemporalPart): Omit<StackState, 'ready'> {
  const { databaseUrl } = database;
  const { temporalAddress, namespace, uiUrl } = temporal;
  return {
    v: 1,
    owner,
    databaseUrl,
    temporalAddress,
    namespace,
    ...(uiUrl !== undefined && { uiUrl }),
    ...(temporal.own && { temporal: { process: temporal.own.kept.current().identity, ports: temporal.own.ports } }),
    ...(database.own && { postgres: { process: database.own.kept.current().identity, port: database.own.ports } }),
  };
}
