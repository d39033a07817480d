import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endLeftovers } from '../../src/embedded/process/end-leftovers';
import { identify } from '../../src/embedded/process/process-identity';
import { type Stack, startStack } from '../../src/embedded/stack';
import { stackFolderPrefix as prefix } from './stack-folder-prefix';

interface SharedStack {
  readonly stack: Stack;
  readonly dataDir: string;
  end(): Promise<void>;
}

declare global {
  /** Set in jest's own process only; its setup and teardown may be loaded as separate modules. */
  var holdfastTestStack: Promise<SharedStack> | undefined;
}

/** The one stack of this jest run, started by whoever asks first. */
export function sharedStack(): Promise<SharedStack> {
  globalThis.holdfastTestStack ??= start();
  return globalThis.holdfastTestStack;
}

async function start(): Promise<SharedStack> {
  await sweep();
  const dataDir = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
  const stack = await startStack({
    dataDir,
    onProgress: ({ part, text }) => text.startsWith('downloading') && process.stderr.write(`${part}: ${text}\n`),
  });
  const end = async () => {
    await stack.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { stack, dataDir, end };
}

/** What a jest run that was killed left behind: the kernel ends its servers where it can, nothing removes its folder. */
async function sweep(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : Number.NaN;
    if (Number.isNaN(pid) || identify(pid) !== undefined) continue;
    const dataDir = join(tmpdir(), name);
    await endLeftovers(['-D', join(dataDir, 'postgres')], [{ signal: 'SIGQUIT', graceMs: 1_000 }]);
    await endLeftovers(['--db-filename', join(dataDir, 'temporal.db')], [{ signal: 'SIGTERM', graceMs: 1_000 }]);
    await rm(dataDir, { recursive: true, force: true });
  }
}
