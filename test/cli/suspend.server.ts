import { readFileSync, writeFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';
import { until } from '../support/gate';
import { brokenInvariants } from '../support/ledger-invariants';
import { type CliWorld, cliWorld } from './support/cli-world';

const transfer = { tool: 'wire_transfer', args: { iban: 'DE89370400440532013000', amount: 10 } };
const look = { tool: 'lookup_order', args: { orderId: '1042' } };
const attempts = {
  waits: { 1: { calls: [transfer] }, 2: { text: 'Done.' } },
  spends: { 1: { calls: [look] }, 2: { calls: [{ ...look, args: { orderId: '1043' } }] }, 3: { text: 'Done.' } },
};
const rules = 'rules:\n  - { id: reads, when: effect == "none", decision: allow }\n';

let world: CliWorld;
beforeAll(async () => {
  world = await cliWorld({ attempts }, rules);
});
afterAll(() => world?.close());
afterEach(async () => expect(await brokenInvariants(world.attempts.pool)).toEqual([]));

const stateOf = async (attempt: string) => (await world.json(0, 'show', attempt)).state;
const reached = (attempt: string, state: string) => until(async () => (await stateOf(attempt)) === state, state);

test('R2.2 an attempt is suspended where it waits, and goes on waiting there when it is resumed', async () => {
  const { attemptId: attempt } = await world.json(3, 'start', world.task('waits', {}), '--wait');
  const suspended = await world.json(3, 'suspend', attempt, '--wait', '--by', 'ana');
  expect(suspended).toMatchObject({ state: 'SUSPENDED', reason: 'suspended' });
  const kinds = suspended.pending.map(({ kind, command }) => [kind, command]);
  expect(kinds).toContainEqual(['suspended', `holdfast resume ${attempt}`]);
  expect((await world.run('list')).stdout).toContain('somebody to resume it');

  expect(await world.run('suspend', attempt)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is suspended already; "holdfast resume" lets it go on'),
  });
  const resumed = await world.run('resume', attempt);
  expect(resumed).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`${attempt} goes on: it is WAITING_FOR_APPROVAL (paused_for_approval).`),
  });
  await reached(attempt, 'WAITING_FOR_APPROVAL');
  expect(await world.run('resume', attempt)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('The attempt is not suspended (WAITING_FOR_APPROVAL)'),
  });
  await world.json(0, 'approve', attempt, '--by', 'ana');
  await reached(attempt, 'COMPLETED');
});

test('R5.3 an approval of what is suspended counts, and is carried out after the resume', async () => {
  const { attemptId: attempt } = await world.json(3, 'start', world.task('waits', {}), '--again', '--wait');
  await world.json(3, 'suspend', attempt, '--wait');
  const approved = await world.run('approve', attempt, 's1.a0', '--by', 'ana');
  expect(approved.stdout).toContain(
    `${attempt} is suspended, so it is not carried out before \`holdfast resume ${attempt}\`.`,
  );
  expect(await stateOf(attempt)).toBe('SUSPENDED');
  expect(await world.json(0, 'effects', attempt)).toEqual([]);
  expect(await world.json(0, 'resume', attempt, '--wait')).toMatchObject({ state: 'COMPLETED' });
});

test('R6.3 an attempt that used up its budget says how it is raised, and goes on with what it has', async () => {
  const task = world.task('spends', { budget: { maxToolCalls: 1 }, tools: ['lookup_order'] });
  const { attemptId: attempt, pending, reason } = await world.json(3, 'start', task, '--wait');
  expect(reason).toBe('budget_exceeded');
  expect(pending).toEqual([
    expect.objectContaining({
      kind: 'budget',
      command: `holdfast resume ${attempt} --budget maxToolCalls=2 --by NAME`,
    }),
  ]);

  expect(await world.run('resume', attempt, '--budget', 'maxCalls=5')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('"maxCalls=5" names no limit'),
  });
  expect(await world.run('resume', attempt, '--budget', 'maxToolCalls=0')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('maxToolCalls is 1 now; a limit can only be raised. Nothing was resumed.'),
  });
  expect(await world.run('resume', attempt, '--budget', 'maxToolCalls=5', '--by', 'mallory')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/Configuration names nobody as mallory.*Nothing was resumed/),
  });
  expect(await stateOf(attempt)).toBe('SUSPENDED');

  const again = await world.run('resume', attempt);
  expect(again).toMatchObject({
    code: 3,
    stdout: expect.stringContaining(`${attempt} is SUSPENDED again (budget_exceeded): nothing of it was done.`),
  });
  expect(again.stdout).toContain(`holdfast resume ${attempt} --budget maxToolCalls=`);
  expect(await world.json(3, 'resume', attempt, '--budget', 'maxCostUsd=2.5', '--by', 'ana')).toMatchObject({
    fate: 'taken',
    state: 'SUSPENDED',
    reason: 'budget_exceeded',
  });

  const raised = ['--budget', 'maxToolCalls=5', '--budget', 'maxCostUsd=3'];
  const watched = await world.run('resume', attempt, ...raised, '--by', 'ana', '--watch');
  expect(watched.code).toBe(0);
  expect(watched.stdout).toContain('ana raised maxToolCalls to 5, maxCostUsd to USD 3.0000');
  expect(watched.stdout).toContain('COMPLETED (success)');
});

test('R12.2 an attempt none of whose models is configured any more is not resumed, and says which to name', async () => {
  const { attemptId: attempt } = await world.json(3, 'start', world.task('waits', {}), '--again', '--wait');
  await world.json(3, 'suspend', attempt, '--wait');
  const file = process.env['HOLDFAST_CONFIG'] ?? '';
  const without = file.replace(/holdfast\.yaml$/, 'without.yaml');
  const config = parse(readFileSync(file, 'utf8'));
  writeFileSync(without, stringify({ ...config, models: { other: config.models.scripted } }));
  for (const command of ['resume', 'fork']) {
    const refused = await world.run(command, attempt, '--config', without);
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        `${attempt} was started with the model scripted, and the configuration names other alone`,
      ),
    });
    expect(refused.stderr).toContain('holdfast start TASK.yaml --model other --new');
  }
  expect(await stateOf(attempt)).toBe('SUSPENDED');
  expect(await world.json(0, 'resume', attempt)).toMatchObject({ fate: 'taken' });
});
