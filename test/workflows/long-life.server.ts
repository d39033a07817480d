import type { CallAnswers } from '../../src/protocol/calls';
import type { UpdateReply } from '../../src/protocol/messages';
import { attemptHistories } from '../../src/temporal/histories';
import { until } from '../support/gate';
import { testStack } from '../support/stack';
import { moves } from './support/decide';
import { expectReplays } from './support/expect-replays';
import type { FakeLedger } from './support/fake-ledger';
import { action, proposal } from './support/inputs';
import { type Handle, Lab } from './support/lab';

/** Attempts of many runs, on a real server: nothing grows, and nothing is lost where one run ends and the next begins. */

let lab: Lab;
beforeAll(async () => {
  lab = await Lab.open((await testStack()).temporalAddress);
});
afterAll(async () => await lab.close());

type Act = CallAnswers['act'];
const models = [{ name: 'main', quick: true, timeoutMs: 1_000 }];
const success = { state: 'COMPLETED', reason: 'success' };
const waits = (ledger: FakeLedger) => moves(ledger).filter((made) => made.endsWith('→ none')).length;

/** Histories of all runs, the first run first; each replays on the code here. */
async function runs(handle: Handle) {
  const ref = { tenant: 'default', id: handle.workflowId.slice('attempt/default/'.length), key: 1 };
  const histories = (await attemptHistories(lab.env.client, ref)).map(({ history }) => history).reverse();
  await expectReplays(
    lab,
    histories.map((history) => ({ workflowId: handle.workflowId, history })),
  );
  return histories;
}

/** Of two thousand calls one after the other, ms: half a minute on a machine that does nothing else. */
const thousandStepsMaxMs = 600_000;

test(
  'R12.4 a thousand steps are ten runs, the last as short as the first',
  async () => {
    const steps = 1_000;
    const { handle, ledger } = await lab.start(
      {
        think: ({ step }) =>
          step < steps ? proposal({ kind: 'actions' }, action(0, { quick: true })) : proposal({ kind: 'text' }),
      },
      { models, stepsPerRun: 100 },
    );
    expect(await handle.result()).toEqual(success);
    expect(ledger.moves.map(({ n }) => n)).toEqual(Array.from({ length: 2 * steps }, (_, index) => index + 1));
    const histories = await runs(handle);
    const markers = histories.map(
      ({ events }) => events?.filter((event) => event.markerRecordedEventAttributes).length,
    );
    expect(markers).toEqual(Array.from({ length: 10 }, () => 200));
  },
  thousandStepsMaxMs,
);

test('R1.2 R12.4 a talk of fifty turns, each of which waits for the next word, is as many runs', async () => {
  const turns = 50;
  const { handle, ledger } = await lab.start(
    { think: ({ turn }) => (turn < turns ? proposal({ kind: 'ask' }) : proposal({ kind: 'text' })) },
    { models, stepsPerRun: 1 },
  );
  for (let turn = 1; turn < turns; turn += 1) {
    await until(() => ledger.turn === turn && waits(ledger) >= turn, `turn ${turn} waits`);
    const reply: UpdateReply = await handle.executeUpdate('say', { args: [{ text: `Word ${turn}.`, by: 'ana' }] });
    expect(reply).toEqual({ taken: true });
  }
  expect(await handle.result()).toEqual(success);
  const heard = [...ledger.inbox.values()].map(({ message }) => message.kind === 'say' && message.body.text);
  expect(heard).toEqual(Array.from({ length: turns - 1 }, (_, index) => `Word ${index + 1}.`));
  expect(ledger.moves.at(-2)?.args).toMatchObject({ turn: turns });
  const lengths = (await runs(handle)).map(({ events }) => events?.length ?? 0);
  expect(lengths.length).toBeGreaterThanOrEqual(turns);
  expect(Math.max(...lengths)).toBeLessThan(60);
});

test('R12.4 M4 signals that come while one run follows the other are each heard once, and none of them answers', async () => {
  const waves = 40;
  let ledger: FakeLedger | undefined;
  const ask: Act = { kind: 'needs_approval', binding: 'b'.repeat(64), expiresAt: Date.now() + 86_400_000 };
  const started = await lab.start(
    {
      think: ({ step }) => (step === 1 ? proposal({ kind: 'actions' }, action(0)) : proposal({ kind: 'text' })),
      act: () => (ledger?.request ? { kind: 'observed', ok: true } : ask),
    },
    { models },
  );
  ledger = started.ledger;
  const { handle, ledger: asked } = started;
  await until(() => waits(asked) > 0, 'it waits');

  for (let sent = 0; sent < waves; sent += 4) {
    // No order is asked for: an upgrade stands in the middle of them.
    await Promise.all([...Array.from({ length: 4 }, () => handle.signal('wave', {})), handle.signal('upgrade', {})]);
  }
  const rejected = () => [...asked.inbox.values()].filter(({ as }) => as === 'rejected').length;
  await until(() => rejected() === waves, 'every wave is rejected');
  expect(asked.inbox.size).toBe(waves);
  expect(asked.request?.state).toBe('open');

  await handle.signal('approve', { actionId: asked.request?.actionId, by: 'ana' });
  expect(await handle.result()).toEqual(success);
  expect(asked.request?.state).toBe('granted');
  // On a slow machine several upgrades are one: sent twice it is one.
  expect((await runs(handle)).length).toBeGreaterThanOrEqual(2);
});
