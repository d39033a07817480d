import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

declare global {
  /** Set by file-environment.cjs, which removes what is in it; absent where no test runs. */
  var foldersOfTestFile: string[] | undefined;
}

const folders = globalThis.foldersOfTestFile ?? removedAtExit();

/** A folder of this test file's own, as links resolve it; it goes with the file, after the last hook. */
export function tempFolder(prefix: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), prefix)));
  folders.push(folder);
  return folder;
}

function removedAtExit(): string[] {
  const made: string[] = [];
  process.once('exit', () => {
    for (const folder of made) rmSync(folder, { recursive: true, force: true });
  });
  return made;
}
