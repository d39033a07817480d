import { randomUUID } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Writes a file whole: a reader sees the old text or the new one, and a link that appeared at the path is replaced, not
 * followed. The file keeps its mode unless another is given.
 */
export async function replaceFile(path: string, body: string, mode?: number): Promise<void> {
  const kept = mode ?? (await stat(path).catch(() => undefined))?.mode;
  const beside = join(dirname(path), `.${randomUUID()}.tmp`); // a try that dies here is reset with the rest of its work
  const file = await open(beside, 'wx', 0o644);
  try {
    await file.writeFile(body);
    if (kept !== undefined) await file.chmod(kept & 0o777);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  await rename(beside, path);
}
