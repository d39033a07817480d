import { setTimeout as sleep } from 'node:timers/promises';
import { forkAttempt } from '../../src/ledger/fork-attempt';
import { startAttempt } from '../../src/ledger/start-attempt';
import type { AttemptRef } from '../../src/protocol/ids';
import { startRequest } from '../ledger/support/ledger';
import { type ActivityWorld, activityWorld } from '../support/activity-world';
import { AttemptDriver } from '../support/attempt-driver';
import { brokenInvariants } from '../support/ledger-invariants';
import { observations } from '../support/ledger-rows';
import { ok, tool } from '../support/test-tools';

/** Attempts of one task at work side by side, on real PostgreSQL (E1, E2, R12.3). */

/** What the other side has had, whoever sent it. */
const had: string[] = [];
const run = async (args: Record<string, unknown>) => {
  had.push(String(args['to']));
  await sleep(20); // the other one asks meanwhile
  return ok(`paid ${String(args['to'])}`);
};
const pay = tool({ name: 'pay', effect: 'unsafe', run });
const told = tool({ name: 'told', effect: 'unsafe', run, write: { operationArguments: ['to'] } });

const payees = ['ana', 'ben', 'cid', 'dan', 'eva', 'fay'];
const telling = (note: string) => ({ tool: 'told', args: { to: 'ida', note } });
let world: ActivityWorld;
beforeAll(async () => {
  const calls = payees.map((to) => ({ tool: 'pay', args: { to } }));
  const attempts = {
    forks: { 1: { calls } },
    siblings: { 1: { calls } },
    notes: { 1: { calls: [telling('first')] } },
    'notes/2': { 1: { calls: [telling('second'), telling('third'), telling('fourth')] } },
  };
  world = await activityWorld({ attempts }, [pay, told]);
});
afterAll(() => world.close());
beforeEach(() => had.splice(0));
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

const driver = async (ref: AttemptRef) => new AttemptDriver(await world.worker(), ref);

async function forkOf(from: AttemptRef): Promise<AttemptRef> {
  const outcome = await forkAttempt(world.pool, {
    from,
    snapshot: { flow: 1, stepsPerRun: 100, searchAttributes: false },
    versions: {},
    texts: { store: async (text) => ({ text }), load: async () => '' },
  });
  if (outcome.kind !== 'forked') throw new Error(outcome.detail);
  return outcome.attempt.ref;
}

/** Both ask for the same at once, one operation after the other. */
async function race(refs: readonly AttemptRef[]): Promise<void> {
  const drivers = await Promise.all(refs.map(driver));
  const asked = [];
  for (const one of drivers) asked.push({ one, actions: await one.actions() });
  for (const at of payees.keys()) {
    const answers = await Promise.all(
      asked.map(async ({ one, actions }) => {
        const action = actions[at];
        if (!action) throw new Error(`There is no call ${at}.`);
        return (await one.act(action)).answer;
      }),
    );
    expect(answers).toEqual(refs.map(() => ({ kind: 'observed', ok: true })));
  }
  expect(had).toEqual(payees);
  for (const ref of refs)
    expect((await observations(world.pool, ref)).map(({ text }) => text)).toEqual(payees.map((to) => `paid ${to}`));
}

test('E1, E2, R12.3 two forks of one checkpoint that ask for the same at once send it once, and both have its outcome', async () => {
  const from = await world.attempt({ task: 'forks' });
  const one = await driver(from);
  await one.record({ at: 'pause', state: 'WAITING_FOR_USER', reason: 'waiting_for_user' });
  await race([await forkOf(from), await forkOf(from)]);
});

test('E1, E2 two attempts that were started side by side and ask for the same at once send it once', async () => {
  const kin = { task: 'siblings', kin: true } as const;
  await race([await world.attempt(kin), await world.attempt(kin)]);
});

test('E1, R12.3 calls are counted by the operation: what differs in words alone is the same, and the second is one more', async () => {
  const kin = { task: 'notes', kin: true } as const;
  const first = await driver(await world.attempt(kin));
  for (const action of await first.actions()) await first.act(action);
  expect(had).toEqual(['ida']);

  const second = await driver(await world.attempt(kin));
  const [again, besides, more] = await second.actions();
  if (!again || !besides || !more) throw new Error('Three calls are needed.');
  await second.act(again);
  expect(had).toEqual(['ida']);
  await second.act(besides);
  expect(had).toEqual(['ida', 'ida']);
  await second.act(more);
  expect(had).toEqual(['ida', 'ida', 'ida']);
});

test('E1 an attempt that begins waits for what its kin have under way, so that it knows of every claim', async () => {
  const alone = await world.attempt({ task: 'alone' });
  const one = await driver(alone);
  const ask = { tool: 'pay', argsHash: 'a'.repeat(64) };
  let begun = false;
  let beginning: ReturnType<typeof startAttempt> | undefined;
  const rolledBack = one.worker.ledger.transact(alone, { n: 1 }, async (tx) => {
    expect(await tx.kinKey(ask, 1, 0)).toBeUndefined();
    beginning = startAttempt(world.pool, startRequest({ task: 'alone', beside: true }));
    void beginning.then(() => {
      begun = true;
    });
    await sleep(200);
    expect(begun).toBe(false);
    throw new Error('The claim would be written here.');
  });
  await expect(rolledBack).rejects.toThrow('would be written here');
  const outcome = await beginning;
  expect(outcome?.kind).toBe('created');
});
