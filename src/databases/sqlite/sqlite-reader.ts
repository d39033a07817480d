/**
 * A process of its own that runs one query on a SQLite file: `node sqlite-reader.js`, the request on standard input, the reply on
 * standard output.
 *
 *   I1  A statement runs until it ends and hears nothing meanwhile, so it runs in a thread, and the process is killed where
 *       standard input closes: with the reply taken, with the time over, or because who asked has died.
 *   I2  The file is opened for reading.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { readRows } from './read-rows';
import type { SqliteRequest } from './sqlite-request';

function main(): void {
  let text = '';
  let started = false;
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (chunk: string) => {
    text += chunk;
    if (started || !text.endsWith('\n')) return;
    started = true;
    const reader = new Worker(__filename, { workerData: JSON.parse(text) });
    reader.once('message', (reply: string) => process.stdout.write(`${reply}\n`));
    reader.once('error', (error) => {
      process.stderr.write(String(error));
      process.kill(process.pid, 'SIGKILL');
    });
  });
  process.stdin.on('end', () => process.kill(process.pid, 'SIGKILL')); // I1
}

if (isMainThread) main();
else parentPort?.postMessage(JSON.stringify(readRows(workerData as SqliteRequest)));
