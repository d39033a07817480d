import { type AttemptWorld, attemptWorld } from '../support/attempt-world';
import { effectRows } from '../support/effect-rows';
import { brokenInvariants } from '../support/ledger-invariants';
import { observations } from '../support/ledger-rows';
import { ok, tool } from '../support/test-tools';

/** What a deploy in the middle of an attempt says of arguments that it would have taken before. */
let refuses: string | undefined;
const sent = new Map<string, number>();
const pay = (name: string, effect: 'unsafe' | 'deduplicated') =>
  tool({
    name,
    effect,
    validate: () => refuses,
    run: (_args, { idempotencyKey }) => {
      sent.set(idempotencyKey, (sent.get(idempotencyKey) ?? 0) + 1);
      refuses = 'amount is in cents now';
      throw new Error('the answer was lost');
    },
  });

let world: AttemptWorld;
beforeAll(async () => {
  const attempts = Object.fromEntries(
    ['unsafe', 'deduplicated'].map((effect) => [
      effect,
      { 1: { calls: [{ tool: `pay_${effect}`, args: { amount: 1 } }] }, 2: { text: 'It is paid.' } },
    ]),
  );
  const tools = [
    pay('pay_unsafe', 'unsafe'),
    pay('pay_deduplicated', 'deduplicated'),
    tool({ name: 'look', run: () => ok('') }),
  ];
  world = await attemptWorld({ transcript: { attempts }, tools });
  await world.startWorker();
});
afterAll(() => world.close());
beforeEach(() => {
  refuses = undefined;
  sent.clear();
});
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

test.each(['unsafe', 'deduplicated'])(
  'R4.5 R16.7 what was sent by a tool (%s) that would not take its arguments now stays unknown until somebody tells, and is told to the model as it is',
  async (task) => {
    const ref = await world.start({ task });
    await world.until(ref, 'RECONCILING');
    const body = {
      actionId: `${ref.id}/s1.a0`,
      outcome: 'committed',
      by: 'ana',
      evidence: 'It is in the book.',
    } as const;
    await world.send(ref, { kind: 'reconcile', body });
    expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
    expect(await observations(world.pool, ref)).toMatchObject([{ ok: true, text: 'It is in the book.' }]);
    expect(await effectRows(world.pool, ref)).toMatchObject([{ phase: 'COMMITTED' }]);
    expect([...sent.values()]).toEqual([1]);
  },
);
