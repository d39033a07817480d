import type { Config } from '../../config';
import { filesHash, readFiles } from '../../workspace/brought/read-files';

/** Hashes of the files that checks may bring along, by name; without those that are not here, or cannot be laid over a copy. */
export async function knownFiles({ sealed }: Pick<Config, 'sealed'>): Promise<Readonly<Record<string, string>>> {
  const known = Object.entries(sealed).map(async ([name, folder]) => {
    const files = await readFiles(folder).catch(() => undefined);
    return files ? [[name, filesHash(files)]] : [];
  });
  return Object.fromEntries((await Promise.all(known)).flat());
}
