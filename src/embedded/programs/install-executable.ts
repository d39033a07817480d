import { randomUUID } from 'node:crypto';
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Puts a program at `path` whole or not at all, also where two processes do it at once. `prove` runs the file before it counts. */
export async function installExecutable(
  path: string,
  bytes: Uint8Array,
  prove: (file: string) => Promise<void>,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, bytes, { flush: true });
    await chmod(draft, 0o755);
    await prove(draft);
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}
