import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sqliteFile } from '../support/test-databases';

const file = sqliteFile('create table t (a)');
const register = join(__dirname, '../support/register-swc.cjs');
const asking = `
  const { createDatabases } = require(${JSON.stringify(join(__dirname, '../../src/databases/create-databases.ts'))});
  const sql = 'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n';
  const options = { signal: new AbortController().signal, timeoutMs: 600000, rowsMax: 1, bytesMax: 1 };
  const databases = { t: { kind: 'sqlite', file: ${JSON.stringify(file)} } };
  createDatabases(databases, ['-r', ${JSON.stringify(register)}]).query('t', sql, options);
`;

/** Processes that read a SQLite file and were started by this one. */
function readersOf(parent: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const [, , , ppid] = readFileSync(`/proc/${pid}/stat`, 'utf8')
          .replace(/\(.*\)/, 'x')
          .split(' ');
        return Number(ppid) === parent && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('sqlite-reader')
          ? [Number(pid)]
          : [];
      } catch {
        return []; // it ended meanwhile
      }
    });
}

/** Zombies are gone as well: they run nothing. */
function isRunning(pid: number): boolean {
  try {
    return !/^\S+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

test('R9.1 a query that runs for ever dies with the worker that asked, however that died', async () => {
  const worker = spawn(process.execPath, ['-r', register, '-e', asking], { stdio: ['ignore', 'ignore', 'inherit'] });
  let readers: readonly number[] = [];
  while (readers.length === 0) {
    expect(worker.exitCode).toBeNull();
    await sleep(50);
    readers = readersOf(worker.pid ?? 0);
  }
  await sleep(1_000); // it is inside the query by now, or dies before it
  expect(readers.filter(isRunning)).toEqual(readers);
  worker.kill('SIGKILL');
  while (readers.some(isRunning)) await sleep(50);
});
