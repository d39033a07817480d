/** What a console asks of a ledger with 5,000 attempts and a million events, as a worker and within a tenant's fence. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { startStack } from '../src/embedded/stack';
import { openLedgerPool } from '../src/ledger/database';
import { migrate } from '../src/ledger/migrate';
import { findAttempt } from '../src/ledger/queries/find-attempt';
import { tenantPool } from '../src/ledger/tenant-pool';
import { fillLedger, questionsOf } from './lib/big-ledger';
import { readOptions } from './lib/options';
import { printReport } from './lib/report';
import { runBench } from './lib/run-bench';
import { median } from './lib/stats';

/** The figure. */
const allowedMs = 100;
const tenant = 'busy';

const options = readOptions('What a console asks of a big ledger.', {
  rounds: { value: 20, about: 'times each is asked' },
});

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-bench-'));
  const stack = await startStack({ dataDir });
  const pool = openLedgerPool(stack.databaseUrl, 'holdfast bench');
  try {
    await migrate(stack.databaseUrl);
    process.stderr.write('filling the ledger …\n');
    await fillLedger(stack.databaseUrl, tenant);
    const found = await findAttempt(pool, tenant, 'task-2001/1');
    if (found.kind !== 'found') throw new Error('The ledger was not filled.');
    const fenced = tenantPool(pool, tenant);
    const rows: { name: string; worker: number; fence: number; worst: number }[] = [];
    for (const [name, ask] of questionsOf(tenant, found.ref)) {
      const worker = await timesOf(pool, ask);
      const fence = await timesOf(fenced, ask);
      rows.push({ name, worker: median(worker), fence: median(fence), worst: Math.max(...fence) });
    }
    report(rows);
  } finally {
    await pool.end();
    await stack.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function timesOf(from: Pool, ask: (from: Pool) => Promise<unknown>): Promise<readonly number[]> {
  await ask(from); // what is asked often is planned and cached
  const times: number[] = [];
  for (let round = 0; round < options.numbers.rounds; round += 1) {
    const began = performance.now();
    await ask(from);
    times.push(performance.now() - began);
  }
  return times;
}

function report(rows: readonly { name: string; worker: number; fence: number; worst: number }[]): void {
  printReport(
    {
      bench: 'queries',
      tables: [
        {
          title: 'A question to the ledger, ms',
          head: ['', 'worker', 'within the fence', 'worst of it'],
          rows: rows.map(({ name, worker, fence, worst }) => [name, worker, fence, worst]),
        },
      ],
      targets: rows.map(({ name, fence }) => ({ name, value: fence, atMost: allowedMs, unit: 'ms' })),
      data: rows,
    },
    options.json,
  );
}

runBench(main);
