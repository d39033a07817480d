import { join } from 'node:path';
import { pidsWithArguments } from '../../../src/embedded/process/pids-with-arguments';
import { stackFolderPrefix } from '../../support/stack-folder-prefix';
import { tempFolder } from '../../support/temp-folder';

/** A data folder of a test's own, removed after its file; under root it is closed to everybody else, as a home folder is. */
export const dataFolder = () => tempFolder(`${stackFolderPrefix}${process.pid}-`);

/** Pids of the servers that run on a data folder. */
export function serversOn(dataDir: string): readonly number[] {
  return [
    ...pidsWithArguments(['-D', join(dataDir, 'postgres')]),
    ...pidsWithArguments(['--db-filename', join(dataDir, 'temporal.db')]),
  ];
}
