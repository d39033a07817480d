import { statSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Trouble need not be told at once; a stat a second costs nothing. */
const pollMs = 1_000;
/** Read of one look; a log that grows faster than this is read at its own place, not here. */
const maxReadBytes = 256 * 1024;

/** Hands over each whole line that is appended to a file from now on, until the signal; a file that is not there yet is waited for. Never rejects. */
export async function followLog(file: string, signal: AbortSignal, onLine: (line: string) => void): Promise<void> {
  let position = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  let rest = '';
  while (!signal.aborted) {
    await sleep(pollMs, undefined, { signal }).catch(() => undefined);
    const size = (await sizeOf(file)) ?? 0;
    if (size < position) position = 0; // set aside: another file has its name
    if (size === position) continue;
    const text = await readFrom(file, position, Math.min(size - position, maxReadBytes)).catch(() => '');
    position = size;
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  }
}

async function sizeOf(file: string): Promise<number | undefined> {
  return stat(file).then(
    ({ size }) => size,
    () => undefined,
  );
}

async function readFrom(file: string, position: number, length: number): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
    return buffer.subarray(0, bytesRead).toString('utf8');
  } finally {
    await handle.close();
  }
}
