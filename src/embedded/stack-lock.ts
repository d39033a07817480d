import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from './process/error-code';
import { identify, isAlive, type ProcessIdentity } from './process/process-identity';

/** Another process runs the stack of this data folder. */
export class StackBusyError extends Error {
  override readonly name = 'StackBusyError';
  constructor(
    readonly dataDir: string,
    readonly pid: number,
  ) {
    super(
      `Holdfast already runs on ${dataDir} (process ${pid}). Use it, stop it, or choose another data folder (HOLDFAST_DATA_DIR).`,
    );
  }
}

/** Held by this process. */
export interface StackLock {
  readonly holder: ProcessIdentity;
  release(): Promise<void>;
}

/** Rounds in which another process can come between our looking and our taking. */
const maxRounds = 20;

/**
 * Takes the data folder for this process until `release` or until the process is gone. Throws StackBusyError.
 *
 * The lock is a file that names its holder, made whole by `link`. A dead holder's file is moved away under a name of our
 * own and looked at again there, so that two who find it dead cannot both remove a new holder's.
 */
export async function takeStackLock(dataDir: string): Promise<StackLock> {
  const file = join(dataDir, 'up.lock');
  const me = identify(process.pid);
  if (me === undefined) throw new Error('This process cannot find itself in the process table');
  const content = `${me.pid} ${me.startedAt}\n`;
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, content);
  try {
    for (let round = 0; round < maxRounds; round++) {
      if (await linkNew(draft, file)) return { holder: me, release: () => release(file, content) };
      const found = await readFile(file, 'utf8').catch(() => undefined);
      if (found === undefined) continue; // released meanwhile
      const holder = parse(found);
      if (holder !== undefined && isAlive(holder)) throw new StackBusyError(dataDir, holder.pid);
      await removeDead(file, found);
    }
  } finally {
    await rm(draft, { force: true });
  }
  throw new Error(`${file} keeps changing hands`);
}

async function release(file: string, content: string): Promise<void> {
  if ((await readFile(file, 'utf8').catch(() => undefined)) === content) await rm(file, { force: true });
}

async function removeDead(file: string, dead: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
  } catch {
    return; // another one was quicker
  }
  if ((await readFile(aside, 'utf8')) !== dead) await linkNew(aside, file); // a new holder's: give it back
  await rm(aside, { force: true });
}

async function linkNew(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function parse(text: string): ProcessIdentity | undefined {
  const [, pid, startedAt] = /^(\d+) (.+)\n$/.exec(text) ?? [];
  return pid === undefined || startedAt === undefined ? undefined : { pid: Number(pid), startedAt };
}
