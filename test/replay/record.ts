/**
 * Records the histories that are not kept yet: `npm run build && node -r ./test/support/register-swc.cjs test/replay/record.ts`.
 * One that is there is never written again: a change that breaks it is gated by the flow version or is wrong.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import type { VersionsPort } from '../../src/activities/ports';
import { defaultLimits } from '../../src/domain/budget/account';
import type { EffectRef } from '../../src/domain/effect/effect';
import { startStack } from '../../src/embedded/stack';
import { startCompensation } from '../../src/ledger/start-compensation';
import type { AttemptRef } from '../../src/protocol/ids';
import { attemptHistories } from '../../src/temporal/histories';
import { startAttemptWorkflow } from '../../src/temporal/start-workflow';
import { createWorkspaces } from '../../src/workspace/create-workspaces';
import { type AttemptWorld, attemptWorld } from '../support/attempt-world';
import { until } from '../support/gate';
import { shareStack } from '../support/share-stack';
import { tempFolder } from '../support/temp-folder';
import { commitIn, gitIn } from '../workspace/support/sandpit';
import { scenarioPolicy, scenarioTools } from './scenario-tools';
import { happened, type Scenario, scenarios } from './scenarios';

const folder = join(__dirname, 'histories');
/** A message that was sent has been taken by then, so the next wait is for what it led to, ms. */
const takenInMs = 1_500;
const lanes = { local: true, regular: false } as const;

async function record(name: string, scenario: Scenario, lane: keyof typeof lanes): Promise<void> {
  const quick = lanes[lane];
  const moving = new Moving();
  const world = await attemptWorld({
    transcript: { steps: scenario.steps, ...(scenario.summaries && { summaries: scenario.summaries }) },
    tools: scenarioTools(quick),
    policy: scenarioPolicy(scenario),
    model: { quick, ...(scenario.contextTokens !== undefined && { contextTokens: scenario.contextTokens }) },
    versions: moving,
    workspaces: (dataDir) => createWorkspaces({ dataDir, sandbox: 'auto', env: process.env }),
  });
  try {
    let worker = await world.startWorker();
    const { limits = {}, snapshot = {}, messages = [], meanwhile } = scenario;
    const start = (task: string) => world.start({ task, limits, snapshot, contract: contractOf(scenario) });
    const blocker = scenario.beside === 'blocker' ? await start(`${name}-first`) : undefined;
    if (blocker) await world.stopped(blocker);
    let ref = await start(name);
    if (meanwhile) {
      await until(() => world.model.requests().length > 0, 'the first model call');
      await world.send(ref, meanwhile);
    }
    if (scenario.elsewhere) {
      await world.stopped(ref);
      await worker.stop();
      moving.edition = 2;
      worker = await world.startWorker();
    }
    for (const message of messages) {
      await world.stopped(ref);
      await world.send(ref, message);
      await setTimeout(takenInMs);
    }
    if (blocker) {
      await world.until(ref, 'WAITING_FOR_EFFECT');
      await world.send(blocker, happened(`${name}-first`));
    }
    if (scenario.beside === 'compensation') ref = await compensation(world, ref, quick);
    const { state } = await world.result(ref);
    if (state !== scenario.end) throw new Error(`${name} ended ${state}, not ${scenario.end}`);
    const told = (await world.events(ref)).map(({ type }) => type);
    const missing = (scenario.tells ?? []).filter((type) => !told.includes(type));
    if (missing.length > 0) throw new Error(`${name} told nothing of ${missing.join(', ')}: ${told.join(' ')}`);
    const runs = await attemptHistories(world.client, ref);
    [...runs].reverse().forEach(({ history }, run) => {
      writeFileSync(join(folder, `${name}.${lane}.${run + 1}.history.json`), withoutStacks(historyToJSON(history)));
    });
  } finally {
    await world.close();
  }
}

/** What a worker stands on, which another one may find changed. */
class Moving implements VersionsPort {
  edition = 1;
  get code(): string {
    return `code ${this.edition}`;
  }
  get environment(): string {
    return `environment ${this.edition}`;
  }
}

/** Starts what undoes the first effect of an attempt. */
async function compensation(world: AttemptWorld, ref: AttemptRef, quick: boolean): Promise<AttemptRef> {
  await world.result(ref);
  const { rows } = await world.pool.query<EffectRef>('select key, generation from effects where attempt = $1', [
    ref.key,
  ]);
  const [effect] = rows;
  if (!effect) throw new Error(`${ref.id} has no effect`);
  const outcome = await startCompensation(world.pool, {
    tenant: ref.tenant,
    effect,
    tool: { name: 'undo_pay', effect: 'deduplicated', quick, timeoutMs: 10_000 },
    args: {},
    limits: defaultLimits,
    snapshot: { flow: 1, stepsPerRun: 100, searchAttributes: false },
    versions: {},
  });
  if (outcome.kind !== 'created') throw new Error(`No compensation was started: ${outcome.kind}`);
  await startAttemptWorkflow(world.client, outcome.attempt.ref, outcome.attempt.snapshot);
  return outcome.attempt.ref;
}

/** A replay reads no stack trace, and one names the folders of the machine that recorded it. */
function withoutStacks(json: string): string {
  return JSON.stringify(
    JSON.parse(json, (key, value: unknown) => (key === 'stackTrace' ? '' : value)),
    null,
    2,
  );
}

const changedRightly = [
  { id: 'changed', check: 'diff' as const },
  { id: 'right', check: 'command' as const, run: 'grep -q right answer.txt' },
];

function contractOf({ contract = {} }: Scenario) {
  if (typeof contract === 'object') return contract;
  return {
    kind: 'code_change' as const,
    tools: contract === 'workspace' ? ['write_file'] : ['look'],
    workspace: { git: repository(), ref: 'main', setup: [] },
    acceptance: contract === 'workspace' ? changedRightly : [{ id: 'kept', check: 'command' as const, run: 'true' }],
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
  shareStack(stack, dataDir);
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
