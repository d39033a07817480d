import { randomUUID } from 'node:crypto';
import { insertMessage } from '../../src/ledger/inbox';
import { type AttemptRef, actionId } from '../../src/protocol/ids';
import { approvalRows, effectRows } from '../support/effect-rows';
import { brokenInvariants } from '../support/ledger-invariants';
import { observations, toolTries } from '../support/ledger-rows';
import { type FaultWorld, faultWorld } from './support/fault-world';
import { operationOf } from './support/journal';
import { type OwnStack, ownStack } from './support/own-stack';

const tool = 'deduplicated_regular_bare';

let stack: OwnStack;
let world: FaultWorld;
beforeAll(async () => {
  stack = await ownStack();
  world = await faultWorld({ asks: [tool] });
});
afterAll(async () => {
  await world?.close();
  await stack?.stop();
});

async function waiting(task: string): Promise<{ ref: AttemptRef; binding: string }> {
  await world.fleet.start();
  const ref = await world.ask(task, tool, { lane: 'regular', operations: [task] });
  await world.until(ref, 'WAITING_FOR_APPROVAL');
  const [asked] = await approvalRows(world.pool, ref);
  expect(asked).toMatchObject({ state: 'open', ordinal: 1 });
  return { ref, binding: asked?.binding ?? '' };
}

/** Worker and Temporal are killed, and come back. */
async function restart(away: () => Promise<void> = async () => undefined): Promise<void> {
  for (const worker of world.fleet.awake) await worker.kill();
  await stack.restartTemporal(away);
  await world.fleet.start();
}

/** The action that was asked for, and no other, ran once, under the answer that was given. */
async function expectOnce(ref: AttemptRef, task: string, binding: string): Promise<void> {
  expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
  expect(await approvalRows(world.pool, ref)).toEqual([
    expect.objectContaining({ ordinal: 1, binding, state: 'spent', answers: ['ana approve asserted'] }),
  ]);
  expect(world.shop.lines().filter((line) => operationOf(line) === task)).toHaveLength(1);
  expect(world.sends().filter((key) => key.includes(ref.id))).toEqual([`default/${ref.id}/s1.a0/g1`]);
  expect(await effectRows(world.pool, ref)).toMatchObject([
    { step: 1, index: 0, phase: 'COMMITTED', settled_by: 'send' },
  ]);
  expect(await toolTries(world.pool, ref)).toMatchObject([{ try: 1, execution: 1, outcome: 'ok' }]);
  expect(await observations(world.pool, ref)).toMatchObject([{ ok: true }]);
  expect(await brokenInvariants(world.pool)).toEqual([]);
}

test('R16.4 worker and Temporal are killed while an approval is waited for: the same action goes on, and runs once', async () => {
  const { ref, binding } = await waiting('restarted');
  await restart();
  expect(world.sends()).toEqual([]);
  await world.until(ref, 'WAITING_FOR_APPROVAL');

  await world.send(ref, { kind: 'approve', body: { actionId: actionId(ref.id, 1, 0), by: 'ana', binding } });

  await expectOnce(ref, 'restarted', binding);
});

test('R16.4, M4 an approval that is given while nothing runs is taken when everything is back', async () => {
  const { ref, binding } = await waiting('given-meanwhile');
  const body = { actionId: actionId(ref.id, 1, 0), by: 'ana', binding };
  // As the command line leaves it: the message is stored, and its signal finds no Temporal.
  await restart(() =>
    insertMessage(world.pool, ref, { id: randomUUID(), kind: 'approve', body }).then(() => undefined),
  );

  await expectOnce(ref, 'given-meanwhile', binding);
});
