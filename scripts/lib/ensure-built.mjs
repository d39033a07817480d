// Builds dist/ where a source is newer than the last build. Two terminals may ask at once: one builds, the other waits.
import { spawnSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inRoot, root } from './paths.mjs';

/** A build takes seconds; whoever waits longer than this tells the person instead. */
const buildWaitMs = 180_000;
const pollMs = 100;

const marker = inRoot('dist/.built');
const lock = inRoot('node_modules/.cache/holdfast-build.lock');

/** Folders count too: their time changes when a file is removed. */
export function isStale() {
  if (!existsSync(marker)) return true;
  const builtAt = statSync(marker).mtimeMs;
  const newer = (path) => statSync(path).mtimeMs > builtAt;
  const sources = readdirSync(inRoot('src'), { recursive: true }).map((path) => inRoot('src', path));
  return [inRoot('src'), ...sources, inRoot('tsconfig.json'), inRoot('tsconfig.build.json')].some(newer);
}

/** Throws where the build fails; its output is on standard error. */
export async function ensureBuilt() {
  if (!isStale()) return;
  await withLock(() => {
    if (!isStale()) return;
    process.stderr.write('building …\n');
    const build = spawnSync(process.execPath, [inRoot('scripts/build.mjs')], { cwd: root, stdio: ['ignore', 2, 2] });
    if (build.status !== 0) throw new Error('the build failed; its messages are above');
  });
}

async function withLock(work) {
  const giveUpAt = Date.now() + buildWaitMs;
  while (!tryLock()) {
    if (Date.now() > giveUpAt) throw new Error(`another build holds ${lock}; remove that file if none runs`);
    await sleep(pollMs);
  }
  try {
    work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** A link appears with its content, so a reader never sees a lock without its owner. */
function tryLock() {
  const mine = `${lock}.${process.pid}`;
  mkdirSync(dirname(lock), { recursive: true });
  writeFileSync(mine, String(process.pid));
  try {
    linkSync(mine, lock);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (ownerIsGone()) rmSync(lock, { force: true });
    return false;
  } finally {
    rmSync(mine, { force: true });
  }
}

function ownerIsGone() {
  try {
    process.kill(Number(readFileSync(lock, 'utf8')), 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}
