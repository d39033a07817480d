import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errnoOf } from '../domain/failure/errno-of';
import { readJsonFile, writeJsonFile } from './json-file';
import { identify, isAlive, type ProcessIdentity } from './process/process-table';

/**
 * A lock between processes of one host, with a note from its last holder to the next one.
 *
 *   I1  `lock.<n>` belongs to whoever created it; the highest n holds the lock until it says released or its process is gone.
 *   I2  n+1 is created only by link(2), which one taker wins; the highest file is never removed, so no number is won twice.
 *   I3  Only the holder writes its file, so the note is what the last holder knew last.
 */
export interface HeldLock<Note> {
  /** What the holder before left, whether it released or died; undefined for the first. */
  readonly inherited: Note | undefined;
  /** Written before anything that a successor must know happens. */
  note(note: Note): Promise<void>;
  release(note: Note): Promise<void>;
}

interface LockFile<Note> {
  readonly holder: ProcessIdentity;
  readonly released: boolean;
  readonly note?: Note;
}

const lookAgainMs = 25;
/** No process outlives a power cut, so no lock needs to. */
const forThisBoot = { durable: false };

/** Undefined where a live process held it all through `waitMs`. Rejects with the signal's reason. */
export async function takeLock<Note>(
  folder: string,
  waitMs: number,
  signal: AbortSignal,
): Promise<HeldLock<Note> | undefined> {
  await mkdir(folder, { recursive: true });
  const deadline = performance.now() + waitMs;
  for (;;) {
    signal.throwIfAborted();
    const held = await tryTake<Note>(folder);
    if (held) return held;
    if (performance.now() > deadline) return undefined;
    await sleep(lookAgainMs, undefined, { signal });
  }
}

/** The note of whoever holds the lock, or held it last. */
export async function readNote<Note>(folder: string): Promise<Note | undefined> {
  const newest = await highest(folder);
  return newest === 0 ? undefined : (await readJsonFile<LockFile<Note>>(lockPath(folder, newest)))?.note;
}

async function tryTake<Note>(folder: string): Promise<HeldLock<Note> | undefined> {
  const before = await highest(folder);
  const file = before === 0 ? undefined : await readJsonFile<LockFile<Note>>(lockPath(folder, before));
  if (before !== 0 && file === undefined) return undefined; // a successor was made and this one removed, just now
  if (file && !file.released && isAlive(file.holder)) return undefined; // I1

  const mine = before + 1;
  if (!(await create(folder, mine, file?.note))) return undefined;
  if ((await highest(folder)) !== mine) {
    await rm(lockPath(folder, mine), { force: true }); // I2: looked so long ago that later ones came and went
    return undefined;
  }
  await removeBelow(folder, mine);
  return holding(lockPath(folder, mine), file?.note);
}

function holding<Note>(path: string, inherited: Note | undefined): HeldLock<Note> {
  const holder = self();
  return {
    inherited,
    note: (note) => writeJsonFile(path, { holder, released: false, note } satisfies LockFile<Note>, forThisBoot),
    release: (note) => writeJsonFile(path, { holder, released: true, note } satisfies LockFile<Note>, forThisBoot),
  };
}

/** The note goes on to the new file at once: a holder that dies before its first word passes it on unchanged. */
async function create<Note>(folder: string, number: number, note: Note | undefined): Promise<boolean> {
  const beside = `${lockPath(folder, number)}.${randomUUID()}.tmp`;
  const content: LockFile<Note> = { holder: self(), released: false, ...(note === undefined ? {} : { note }) };
  await writeFile(beside, JSON.stringify(content));
  try {
    await link(beside, lockPath(folder, number)); // I2
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    if (errnoOf(error) === 'ENOENT') return false; // a later holder has cleaned up: this number was long taken
    throw error;
  } finally {
    await rm(beside, { force: true });
  }
}

async function highest(folder: string): Promise<number> {
  return Math.max(0, ...(await numbers(folder)));
}

/** Older locks, and what their takers and holders were writing when they were killed. */
async function removeBelow(folder: string, number: number): Promise<void> {
  const older = (await names(folder)).filter((name) => Number(/^lock\.(\d+)/.exec(name)?.[1] ?? number) < number);
  await Promise.all(older.map((name) => rm(join(folder, name), { force: true })));
}

async function numbers(folder: string): Promise<readonly number[]> {
  return (await names(folder)).flatMap((name) => /^lock\.(\d+)$/.exec(name)?.[1] ?? []).map(Number);
}

async function names(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}

const lockPath = (folder: string, number: number) => join(folder, `lock.${number}`);

function self(): ProcessIdentity {
  const identity = identify(process.pid);
  if (!identity) throw new Error('this process is not in the process table');
  return identity;
}
