import { type AttemptRef, actionId } from '../../src/protocol/ids';
import { approvalRows, effectRows, payloads } from '../support/effect-rows';
import { until } from '../support/gate';
import { brokenInvariants } from '../support/ledger-invariants';
import { observations } from '../support/ledger-rows';
import { type FaultWorld, faultWorld } from './support/fault-world';
import { operationOf } from './support/journal';
import { faultTranscript } from './support/transcript';
import type { FaultWorkerOrders } from './support/worker-main';

/** What waits is killed, and comes back beside something else (R12.2). */

const tool = 'deduplicated_regular_bare';
const again = 'There is a model again.';

let world: FaultWorld;
beforeAll(async () => {
  const entries = [{ when: { lastUser: again }, text: 'Done.' }, ...(faultTranscript.entries ?? [])];
  world = await faultWorld({ asks: [tool], transcript: { entries } });
});
afterAll(() => world?.close());
afterEach(async () => {
  for (const worker of world.fleet.awake) await worker.kill();
  expect(await brokenInvariants(world.pool)).toEqual([]);
});

/** An attempt that waits for an approval; its worker is killed, and another one polls. */
async function restarted(task: string, otherwise: Partial<FaultWorkerOrders>) {
  await world.fleet.start();
  const ref = await world.ask(task, tool, { lane: 'regular', operations: [task] });
  await world.until(ref, 'WAITING_FOR_APPROVAL');
  const binding = await openBinding(ref);
  for (const worker of world.fleet.awake) await worker.kill();
  await world.fleet.start(otherwise);
  return { ref, binding };
}
async function openBinding(ref: AttemptRef): Promise<string> {
  const open = (await approvalRows(world.pool, ref)).find(({ state }) => state === 'open');
  if (!open) throw new Error('Nothing is asked.');
  return open.binding;
}
const approve = (ref: AttemptRef, binding: string) =>
  world.send(ref, { kind: 'approve', body: { actionId: actionId(ref.id, 1, 0), by: 'ana', binding } });
const changes = (ref: AttemptRef) => payloads(world.pool, ref, 'version_changed');
const refunds = (task: string) => world.shop.lines().filter((line) => operationOf(line) === task);

async function expectOnce(ref: AttemptRef, task: string): Promise<void> {
  expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
  expect(refunds(task)).toHaveLength(1);
  expect(await effectRows(world.pool, ref)).toMatchObject([{ step: 1, index: 0, phase: 'COMMITTED' }]);
}

test('R16.7 model, tool, policy and code are others after the restart: each is told, and the old approval lets nothing happen', async () => {
  const { ref, binding } = await restarted('moved', {
    model: { ...world.modelConfig, model: 'another-model' },
    differs: { edition: ' Second edition.', policy: 'second policy', code: 'code 2' },
  });
  await approve(ref, binding);
  await until(async () => (await approvalRows(world.pool, ref)).length === 2, 'it is asked for anew');
  await world.until(ref, 'WAITING_FOR_APPROVAL');

  expect(world.sends().filter((key) => key.includes(ref.id))).toEqual([]);
  expect(await approvalRows(world.pool, ref)).toMatchObject([
    { ordinal: 1, binding, state: 'voided' },
    { ordinal: 2, state: 'open' },
  ]);
  const told = await changes(ref);
  expect(told).toEqual(
    expect.arrayContaining([
      {
        part: 'model',
        name: 'scripted',
        from: expect.stringMatching(/^openai-compatible\/scripted /),
        to: expect.stringMatching(/^openai-compatible\/another-model /),
        handled: 'go_on',
      },
      expect.objectContaining({ part: 'tool', name: tool, handled: 'approve_again' }),
      expect.objectContaining({ part: 'policy', to: 'second policy', handled: 'approve_again' }),
      { part: 'code', from: 'code 1', to: 'code 2', handled: 'go_on' },
    ]),
  );

  await approve(ref, await openBinding(ref));
  await expectOnce(ref, 'moved');
  expect(await changes(ref)).toEqual(told);
});

test('R16.7 the tool is gone after the restart: its call is refused, however it was approved', async () => {
  const { ref, binding } = await restarted('toolless', { differs: { withoutTool: tool } });
  await approve(ref, binding);
  await until(async () => (await observations(world.pool, ref)).length > 0, 'the call was refused');

  expect((await observations(world.pool, ref))[0]).toMatchObject({ ok: false, code: 'TOOL_NOT_FOUND' });
  expect(await changes(ref)).toEqual([
    expect.objectContaining({ part: 'tool', name: tool, to: null, handled: 'refuse' }),
  ]);
  await world.send(ref, { kind: 'cancel', body: { by: 'ana' } });
  expect(await world.result(ref)).toMatchObject({ state: 'CANCELLED' });
  expect(refunds('toolless')).toEqual([]);
});

test('R16.7 the model is gone after the restart: what was approved is done, then the attempt waits until there is one again', async () => {
  const { ref, binding } = await restarted('modelless', { differs: { noModel: true } });
  await approve(ref, binding);
  await until(async () => (await world.stopped(ref)).reason === 'blocked', 'it has no model');
  expect(refunds('modelless')).toHaveLength(1);
  expect(await changes(ref)).toEqual([
    expect.objectContaining({ part: 'model', name: 'scripted', to: null, handled: 'refuse' }),
  ]);

  for (const worker of world.fleet.awake) await worker.kill();
  await world.fleet.start();
  await world.send(ref, { kind: 'say', body: { text: again } });
  await expectOnce(ref, 'modelless');
  expect((await changes(ref)).slice(1)).toEqual([
    expect.objectContaining({ part: 'model', name: 'scripted', from: null, handled: 'go_on' }),
  ]);
});

test('R16.7 the policy that asked is gone after the restart: what was asked for is judged by what there is', async () => {
  const { ref, binding } = await restarted('lawless', { asks: [], differs: { policy: 'no rules' } });
  await approve(ref, binding);
  await expectOnce(ref, 'lawless');
  expect(await changes(ref)).toEqual([
    expect.objectContaining({ part: 'policy', to: 'no rules', handled: 'approve_again' }),
  ]);
  expect(await approvalRows(world.pool, ref)).toMatchObject([{ ordinal: 1, state: 'voided' }]);
});
