import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errnoOf } from '../domain/failure/errno-of';
import { identify, isAlive, type ProcessIdentity } from './process/process-table';

/**
 * A lock between processes of one host, with a note from its last holder to the next one.
 *
 *   I1  `lock.<n>` belongs to whoever created it; the highest n holds the lock until it says released or its process is gone.
 *   I2  n+1 is created only by link(2), which one taker wins; the highest file is never removed, so no number is won twice.
 *   I3  Only the holder writes its file, so the note is what the last holder knew last.
 *
 * Its few small files are read and written at once and not through the thread pool: they are in the page cache, and a
 * step takes and releases the lock each time.
 */
export interface HeldLock<Note> {
  /** What the holder before left, whether it released or died; undefined for the first. */
  readonly inherited: Note | undefined;
  /** Before anything that a successor must know happens. */
  readonly note: (note: Note) => void;
  readonly release: (note: Note) => void;
}

interface LockFile<Note> {
  readonly holder: ProcessIdentity;
  readonly released: boolean;
  readonly note?: Note;
}

export interface LockRequest<Note> {
  readonly folder: string;
  /** How long a live holder is waited for, ms. */
  readonly waitMs: number;
  readonly signal: AbortSignal;
  /** The note of the new holder from its first moment on, made from the last one's. */
  readonly pass: (inherited: Note | undefined) => Note;
}

/** How often a lock that somebody holds is looked at: short against any action, and cheap (one small file). */
const lookAgainMs = 25;

/** Undefined where a live process held it all through `waitMs`. Rejects with the signal's reason. */
export async function takeLock<Note>(request: LockRequest<Note>): Promise<HeldLock<Note> | undefined> {
  mkdirSync(request.folder, { recursive: true });
  const deadline = performance.now() + request.waitMs;
  for (;;) {
    request.signal.throwIfAborted();
    const held = tryTake(request);
    if (held) return held;
    if (performance.now() > deadline) return undefined;
    await sleep(lookAgainMs, undefined, { signal: request.signal });
  }
}

/** The note of whoever holds the lock, or held it last. */
export function readNote<Note>(folder: string): Note | undefined {
  const newest = highest(folder);
  return newest === 0 ? undefined : readLock<Note>(folder, newest)?.note;
}

/** Whether a live process holds it, this one included. */
export function isLocked(folder: string): boolean {
  const newest = highest(folder);
  const last = newest === 0 ? undefined : readLock(folder, newest);
  return last !== undefined && !last.released && isAlive(last.holder);
}

function tryTake<Note>({ folder, pass }: LockRequest<Note>): HeldLock<Note> | undefined {
  const before = highest(folder);
  const last = before === 0 ? undefined : readLock<Note>(folder, before);
  if (before !== 0 && last === undefined) return undefined; // a successor was made and this one removed, just now
  if (last && !last.released && isAlive(last.holder)) return undefined; // I1

  const mine = before + 1;
  const holder = self();
  if (!create(folder, mine, { holder, released: false, note: pass(last?.note) })) return undefined;
  if (highest(folder) !== mine) {
    rmSync(lockPath(folder, mine), { force: true }); // I2: looked so long ago that later ones came and went
    return undefined;
  }
  removeBelow(folder, mine);
  const write = (released: boolean) => (note: Note) => rewrite(lockPath(folder, mine), { holder, released, note });
  return { inherited: last?.note, note: write(false), release: write(true) };
}

function create<Note>(folder: string, number: number, content: LockFile<Note>): boolean {
  const beside = besides(lockPath(folder, number));
  writeFileSync(beside, JSON.stringify(content));
  try {
    linkSync(beside, lockPath(folder, number)); // I2
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    if (errnoOf(error) === 'ENOENT') return false; // a later holder has cleaned up: this number was long taken
    throw error;
  } finally {
    rmSync(beside, { force: true });
  }
}

/** No process outlives a power cut, so no lock needs to, and nothing is synced. */
function rewrite<Note>(path: string, content: LockFile<Note>): void {
  const beside = besides(path);
  writeFileSync(beside, JSON.stringify(content));
  renameSync(beside, path);
}

function readLock<Note>(folder: string, number: number): LockFile<Note> | undefined {
  try {
    return JSON.parse(readFileSync(lockPath(folder, number), 'utf8')) as LockFile<Note>;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

const highest = (folder: string) =>
  Math.max(
    0,
    ...names(folder)
      .flatMap((name) => /^lock\.(\d+)$/.exec(name)?.[1] ?? [])
      .map(Number),
  );

/** Older locks, and what their takers and holders were writing when they were killed. */
function removeBelow(folder: string, number: number): void {
  const older = names(folder).filter((name) => Number(/^lock\.(\d+)/.exec(name)?.[1] ?? number) < number);
  for (const name of older) rmSync(join(folder, name), { force: true });
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}

const lockPath = (folder: string, number: number) => join(folder, `lock.${number}`);
const besides = (path: string) => `${path}.${randomUUID()}.tmp`;

function self(): ProcessIdentity {
  const identity = identify(process.pid);
  if (!identity) throw new Error('this process is not in the process table');
  return identity;
}
