/**
 * Records the histories that are not kept yet: `npm run build && node -r ./test/support/register-swc.cjs test/replay/record.ts`.
 * One that is there is never written again: a change that breaks it is gated by the flow version or is wrong.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import { startStack } from '../../src/embedded/stack';
import { attemptHistories } from '../../src/temporal/histories';
import { createWorkspaces } from '../../src/workspace/create-workspaces';
import { attemptWorld } from '../support/attempt-world';
import { until } from '../support/gate';
import { stackVariables } from '../support/stack-variables';
import { tempFolder } from '../support/temp-folder';
import { ok, tool } from '../support/test-tools';
import { commitIn, gitIn } from '../workspace/support/sandpit';
import { type Scenario, scenarios } from './scenarios';

const folder = join(__dirname, 'histories');
/** A message that was sent has been taken by then, so the next wait is for what it led to, ms. */
const takenInMs = 1_500;
const lanes = { local: true, regular: false } as const;

async function record(name: string, scenario: Scenario, lane: keyof typeof lanes): Promise<void> {
  const quick = lanes[lane];
  const world = await attemptWorld({
    transcript: { steps: scenario.steps },
    tools: [
      { ...tool({ name: 'look', run: () => ok('Nothing new.') }), quick },
      // Not even a failed result: a bug, so its call has no answer (M2).
      { ...tool({ name: 'broken', run: () => undefined as never }), quick },
    ],
    model: { quick },
    workspaces: (dataDir) => createWorkspaces({ dataDir, sandbox: 'auto', env: process.env }),
  });
  try {
    await world.startWorker();
    const { limits = {}, snapshot = {}, messages = [], meanwhile } = scenario;
    const ref = await world.start({ task: name, limits, snapshot, contract: contractOf(scenario) });
    if (meanwhile) {
      await until(() => world.model.requests().length > 0, 'the first model call');
      await world.send(ref, meanwhile);
    }
    for (const message of messages) {
      await world.stopped(ref);
      await world.send(ref, message);
      await setTimeout(takenInMs);
    }
    const { state } = await world.result(ref);
    if (state !== scenario.end) throw new Error(`${name} ended ${state}, not ${scenario.end}`);
    const runs = await attemptHistories(world.client, ref);
    [...runs].reverse().forEach(({ history }, run) => {
      writeFileSync(join(folder, `${name}.${lane}.${run + 1}.history.json`), withoutStacks(historyToJSON(history)));
    });
  } finally {
    await world.close();
  }
}

/** A replay reads no stack trace, and one names the folders of the machine that recorded it. */
function withoutStacks(json: string): string {
  return JSON.stringify(
    JSON.parse(json, (key, value: unknown) => (key === 'stackTrace' ? '' : value)),
    null,
    2,
  );
}

function contractOf({ contract = {} }: Scenario) {
  if (contract !== 'workspace') return contract;
  return {
    kind: 'code_change' as const,
    tools: ['write_file'],
    workspace: { git: repository(), ref: 'main', setup: [] },
    acceptance: [
      { id: 'changed', check: 'diff' as const },
      { id: 'right', check: 'command' as const, run: 'grep -q right answer.txt' },
    ],
  };
}

function repository(): string {
  const folder = tempFolder('holdfast-record-repo-');
  gitIn(folder, 'init', '-q', '-b', 'main');
  commitIn(folder, { 'answer.txt': 'none' });
  return folder;
}

async function main(): Promise<void> {
  const dataDir = tempFolder('holdfast-record-');
  const stack = await startStack({ dataDir });
  process.env[stackVariables.databaseUrl] = stack.databaseUrl;
  process.env[stackVariables.temporalAddress] = stack.temporalAddress;
  try {
    for (const [name, scenario] of Object.entries(scenarios)) {
      for (const lane of Object.keys(lanes) as (keyof typeof lanes)[]) {
        if (existsSync(join(folder, `${name}.${lane}.1.history.json`))) continue;
        process.stdout.write(`recording ${name} (${lane})\n`);
        await record(name, scenario, lane);
      }
    }
  } finally {
    await stack.stop();
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  },
);
