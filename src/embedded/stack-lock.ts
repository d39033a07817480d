import { createHash, randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '../domain/failure/error-code';
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

/** A guard is held for a few file operations. */
const guardPollMs = 5;
/** Rounds in which another process can come between our looking and our taking; a second of them. */
const maxRounds = 200;

/**
 * Takes the data folder for this process until `release` or until the process is gone. Throws StackBusyError.
 *
 *   L1  The lock is a file that names its holder, made whole by `link`; a live holder's file is touched by nobody else.
 *   L2  A dead holder's file is replaced only under a guard named after its content, a lock of the same kind, and only
 *       if it still has that content: so of all who find it dead one replaces it, and nobody a new holder's.
 */
export async function takeStackLock(dataDir: string): Promise<StackLock> {
  const file = join(dataDir, 'up.lock');
  const me = identify(process.pid);
  if (me === undefined) throw new Error('This process cannot find itself in the process table');
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, `${me.pid} ${me.startedAt}\n`);
  try {
    const other = await take(file, draft);
    if (other !== undefined) throw new StackBusyError(dataDir, other.pid);
  } finally {
    await rm(draft, { force: true });
  }
  let held = true;
  const release = async () => {
    if (held) await rm(file, { force: true }); // L1: it is ours, once
    held = false;
  };
  return { holder: me, release };
}

/** Undefined when `file` is ours now, else the live process that holds it. `draft` is a file that names us. */
async function take(file: string, draft: string): Promise<ProcessIdentity | undefined> {
  for (let round = 0; round < maxRounds; round++) {
    if (await linkNew(draft, file)) return undefined;
    const found = await read(file);
    if (found === undefined) continue; // released meanwhile
    const holder = parse(found);
    if (holder !== undefined && isAlive(holder)) return holder;

    const guard = `${file}.after-${createHash('sha256').update(found).digest('hex').slice(0, 12)}`;
    if ((await take(guard, draft)) !== undefined) {
      await sleep(guardPollMs);
      continue;
    }
    try {
      if ((await read(file)) === found) {
        await replace(file, draft); // L2
        return undefined;
      }
    } finally {
      await rm(guard);
    }
  }
  throw new Error(`${file} keeps changing hands`);
}

async function replace(file: string, draft: string): Promise<void> {
  const mine = `${draft}.${randomUUID()}`;
  await link(draft, mine);
  await rename(mine, file);
}

const read = (file: string) => readFile(file, 'utf8').catch(() => undefined);

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
