/** How long the built command line takes: `--help`, and `up` on a data folder that has been used, until it is ready. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { readOptions } from './lib/options';
import { printReport } from './lib/report';
import { runBench } from './lib/run-bench';
import { median } from './lib/stats';

const helpMaxMs = 300;
const upMaxMs = 5_000;
const pollMs = 20;
/** The first start makes a database and may fetch a server. */
const readyMaxMs = 300_000;
/** As npm installs it: dist-bench/bench/ lies beside dist/. */
const client = join(__dirname, '../../dist/client.js');

const options = readOptions('Start of the built command line.', {
  runs: { value: 5, about: 'times that each is started' },
});

async function main(): Promise<void> {
  if (!existsSync(client)) throw new Error(`${client} is not there: \`npm run build\` makes it.`);
  const helpMs: number[] = [];
  const upMs: number[] = [];
  const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-boot-'));
  try {
    for (let run = 0; run < options.numbers.runs; run += 1) helpMs.push(await timeHelp());
    const coldMs = await timeUp(dataDir);
    for (let run = 0; run < options.numbers.runs; run += 1) upMs.push(await timeUp(dataDir));
    printReport(
      {
        bench: 'boot',
        tables: [
          {
            title: 'Start, ms',
            head: ['', 'median', 'worst'],
            rows: [
              ['holdfast --help', median(helpMs), Math.max(...helpMs)],
              ['up, warm, until ready', median(upMs), Math.max(...upMs)],
              ['up, first time in a folder', coldMs, coldMs],
            ],
          },
        ],
        targets: [
          { name: 'holdfast --help', value: median(helpMs), atMost: helpMaxMs, unit: 'ms' },
          { name: 'up, warm', value: median(upMs), atMost: upMaxMs, unit: 'ms' },
        ],
        data: { helpMs, upMs, coldMs },
      },
      options.json,
    );
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function timeHelp(): Promise<number> {
  const from = performance.now();
  await promisify(execFile)(process.execPath, [client, '--help']);
  return performance.now() - from;
}

/** Until `up` says that it is ready; it is stopped again. */
async function timeUp(dataDir: string): Promise<number> {
  const from = performance.now();
  const up = spawn(process.execPath, [client, 'up'], {
    env: { ...process.env, HOLDFAST_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(up, 'exit');
  let text = '';
  for (const stream of [up.stdout, up.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  try {
    while (!text.includes('Ready in')) {
      if (up.exitCode !== null) throw new Error(`up ended with ${up.exitCode}: ${text}`);
      if (performance.now() - from > readyMaxMs) throw new Error(`up was not ready in ${readyMaxMs} ms: ${text}`);
      await sleep(pollMs);
    }
    return performance.now() - from;
  } finally {
    up.kill('SIGTERM');
    await exited;
  }
}

runBench(main);
