import type { Criterion } from '../../src/domain/contract/contract';
import type { AttemptRef } from '../../src/protocol/ids';
import { brokenInvariants } from '../support/ledger-invariants';
import { gitIn } from '../workspace/support/sandpit';
import { blocked, test as check, done, type WorkspaceWorld, workspaceWorld, write } from './support/workspace-world';

const right = write('value.txt', 'right\n');
const attempts = {
  pleases: { 1: right, 2: done },
  improves: { 1: right, 2: done, 3: write('notes.md', 'Why: it was wrong.\n'), 4: done },
  falls: { 1: write('value.txt', 'worse\n'), 2: done, 3: blocked },
  lingers: { 1: right, 2: done },
};
const question = 'Is this what was wanted?';
const human: Criterion = { id: 'wanted', check: 'human', question };
let world: WorkspaceWorld;
beforeAll(async () => {
  world = await workspaceWorld(attempts);
  await world.startWorker();
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

const begin = async (task: string) => {
  const ref = await world.change(task, { acceptance: [check, human] });
  await world.until(ref, 'WAITING_FOR_APPROVAL');
  return ref;
};
const asked = async ({ key }: AttemptRef) =>
  (await world.pool.query('select step, tool, target, state from approvals where attempt = $1 order by step', [key]))
    .rows;
const evidence = async ({ key }: AttemptRef) =>
  (
    await world.pool.query(
      "select candidate, met, body from evidence where attempt = $1 and criterion = 'wanted' order by candidate",
      [key],
    )
  ).rows;
const types = async (ref: AttemptRef) => (await world.events(ref)).map(({ type }) => type);

test('R3.3 a person is asked once all else is met; a yes is the evidence, and all is checked again before it is committed', async () => {
  const ref = await begin('pleases');
  expect(await asked(ref)).toEqual([{ step: 2, tool: 'finish', target: question, state: 'open' }]);
  expect(gitIn(world.pit.repo, 'branch', '--list', `holdfast/${ref.id}`)).toBe('');

  await world.send(ref, { kind: 'approve', body: { actionId: `${ref.id}/s2.a0`, by: 'ana', reason: 'Neat.' } });
  expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
  expect(await asked(ref)).toMatchObject([{ state: 'spent' }]);
  expect(await evidence(ref)).toMatchObject([{ candidate: 2, met: true, body: { output: 'ana said yes: Neat.' } }]);
  const checked = (await world.events(ref)).filter(({ type }) => type === 'criterion_checked');
  expect(checked.map(({ payload }) => [payload['criterion'], payload['candidate']])).toEqual([
    ['changed', 1],
    ['test', 1],
    ['changed', 2],
    ['test', 2],
    ['wanted', 2],
  ]);
});

test('R3.4 a no comes back with its reason, and the next candidate is asked about anew', async () => {
  const ref = await begin('improves');
  await world.send(ref, { kind: 'deny', body: { actionId: `${ref.id}/s2.a0`, by: 'ana', reason: 'Say why.' } });
  while ((await asked(ref)).length < 2) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(world.shown()).toContain('ana said no: Say why.');
  expect(await types(ref)).toContain('repair_requested');

  await world.send(ref, { kind: 'approve', body: { actionId: `${ref.id}/s4.a0`, by: 'ana' } });
  expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
  expect(await evidence(ref)).toMatchObject([
    { candidate: 2, met: false },
    { candidate: 4, met: true },
  ]);
});

test('R3.5 nobody is asked about a candidate that fell short elsewhere', async () => {
  const ref = await world.change('falls', { acceptance: [check, human] });
  expect(await world.stopped(ref)).toEqual({ state: 'WAITING_FOR_USER', reason: 'blocked' });
  expect(await asked(ref)).toEqual([]);
  expect(await evidence(ref)).toMatchObject([
    { met: false, body: { detail: expect.stringContaining('Nobody was asked') } },
  ]);
});

test('R5.3 R11.1 a cancel voids what a person was asked, and nothing is committed', async () => {
  const ref = await begin('lingers');
  await world.send(ref, { kind: 'cancel', body: { by: 'ana' } });
  expect(await world.result(ref)).toMatchObject({ state: 'CANCELLED' });
  expect(await asked(ref)).toMatchObject([{ state: 'voided' }]);
  expect(gitIn(world.pit.repo, 'branch', '--list', 'holdfast/lingers/*')).toBe('');
});
