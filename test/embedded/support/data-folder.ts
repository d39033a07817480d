import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pidsWithArguments } from '../../../src/embedded/process/pids-with-arguments';
import { stackFolderPrefix } from '../../support/stack-folder-prefix';

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** A data folder of a test's own, removed after its file; under root it is closed to everybody else, as a home folder is. */
export function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), `${stackFolderPrefix}${process.pid}-`));
  made.push(folder);
  return folder;
}

/** Pids of the servers that run on a data folder. */
export function serversOn(dataDir: string): readonly number[] {
  return [
    ...pidsWithArguments(['-D', join(dataDir, 'postgres')]),
    ...pidsWithArguments(['--db-filename', join(dataDir, 'temporal.db')]),
  ];
}
