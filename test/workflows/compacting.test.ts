import type { CallAnswers } from '../../src/protocol/calls';
import { decide, moves } from './support/decide';
import { FakeLedger, type Script } from './support/fake-ledger';
import { input, proposal } from './support/inputs';

const models = [
  { name: 'main', quick: true, timeoutMs: 1_000 },
  { name: 'backup', quick: true, timeoutMs: 1_000 },
];
const answer = proposal({ kind: 'text' });
const compact: CallAnswers['think'] = { kind: 'compact' };
const unanswerable: CallAnswers['think'] = {
  kind: 'failed',
  failure: { class: 'unrecoverable', code: 'UNAUTHORIZED' },
};

/** A dialog whose model is asked after whatever the script makes of its first step. */
async function live(script: Script) {
  const ledger = new FakeLedger(script);
  const { run, outcome } = await decide(input({ models }), ledger, []);
  const args = ledger.moves.map((move) => [move.kind, move.args] as const);
  const asked = (kind: string) => args.filter(([of]) => of === kind).map(([, of]) => of);
  return { ledger, moves: moves(ledger), run, outcome, thinks: asked('think'), compacts: asked('compact') };
}
/** A view that is too long until it was compacted. */
const once: Pick<Script, 'think'> = { think: ({ compacted }) => (compacted ? answer : compact) };

test('R13.2 a step whose view is too long is compacted and then asked again, its tries counted on', async () => {
  const { moves: made, thinks, compacts, ledger } = await live(once);
  expect(made).toEqual(['1 think → compact', '2 compact → compacted', '3 think → proposal', '4 record end → ended']);
  expect(compacts).toEqual([{ step: 1, turn: 1, model: 0, try: 2 }]);
  expect(thinks).toEqual([
    { step: 1, turn: 1, model: 0, try: 1 },
    { step: 1, turn: 1, model: 0, try: 3, compacted: 'normal' },
  ]);
  expect(ledger.path.slice(2, 6)).toEqual(['WAITING_FOR_MODEL', 'COMPACTING', 'WAITING_FOR_MODEL', 'DECIDING']);
});

test('R13.4 a summary of no use is asked for twice more, and then the projection is made without one', async () => {
  const { compacts, outcome } = await live({
    ...once,
    compact: ({ mechanical }) =>
      mechanical ? { kind: 'compacted', by: 'mechanical' } : { kind: 'rejected', code: 'SUMMARY_EMPTY' },
  });
  const rejected = 'SUMMARY_EMPTY';
  expect(compacts).toEqual(
    [{ try: 2 }, { try: 3, rejected }, { try: 4, rejected }, { try: 5, mechanical: true }].map((how) => ({
      ...{ step: 1, turn: 1, model: 0 },
      ...how,
    })),
  );
  expect(outcome).toEqual({ result: { state: 'COMPLETED', reason: 'success' } });
});

test.each<[string, CallAnswers['compact']]>([
  ['cannot be asked', { kind: 'failed', failure: { class: 'unrecoverable', code: 'UNAUTHORIZED' } }],
  ['never answers', { kind: 'gave_up', code: 'TIMEOUT_HEARTBEAT' }],
])('R13.4 a summariser that %s is left out at once', async (_how, summary) => {
  const { compacts, outcome } = await live({
    ...once,
    compact: ({ mechanical }) => (mechanical ? { kind: 'compacted', by: 'mechanical' } : summary),
  });
  expect(compacts).toMatchObject([{ try: 2 }, { try: 3, mechanical: true }]);
  expect(outcome).toEqual({ result: { state: 'COMPLETED', reason: 'success' } });
});

test.each<CallAnswers['compact']>([
  { kind: 'unchanged' },
  { kind: 'rejected', code: 'NOT_SMALLER' },
  { kind: 'failed', failure: { class: 'unrecoverable', code: 'MODEL_NOT_CONFIGURED' } },
])('R13.4 where nothing becomes smaller (%j) the step is asked as it is, and not compacted again', async (last) => {
  const { moves: made } = await live({ ...once, compact: () => last });
  expect(made.at(-2)).toMatch(/think → proposal$/);
  expect(made.filter((move) => move.includes('compact →')).length).toBeLessThanOrEqual(4);
});

test('R13.2 what a provider refuses as too long is compacted once more, tightly, and never a third time', async () => {
  const { thinks, compacts, run } = await live({
    think: ({ compacted }) =>
      compacted === 'tight' ? unanswerable : { kind: 'compact', ...(compacted && { tight: true as const }) },
  });
  expect(thinks.slice(0, 3)).toMatchObject([{ try: 1 }, { compacted: 'normal' }, { compacted: 'tight' }]);
  expect(compacts.slice(0, 2)).toEqual([
    { step: 1, turn: 1, model: 0, try: 2 },
    { step: 1, turn: 1, model: 0, try: 4, tight: true },
  ]);
  expect(run.state).toEqual({ kind: 'WAITING_FOR_USER', reason: 'blocked' });
});

test('R13.2 another model has a context of its own, so the view is judged anew for it', async () => {
  const { thinks } = await live({
    think: ({ model, compacted }) => {
      if (model === 0) return compacted ? unanswerable : compact;
      return compacted ? answer : compact;
    },
  });
  expect(thinks).toEqual([
    { step: 1, turn: 1, model: 0, try: 1 },
    { step: 1, turn: 1, model: 0, try: 3, compacted: 'normal' },
    { step: 1, turn: 1, model: 1, try: 4 },
    { step: 1, turn: 1, model: 1, try: 6, compacted: 'normal' },
  ]);
});

test('R6.3 M5 a compaction that a limit or a person stops leaves the step to be asked anew', async () => {
  const exceeded = { kind: 'over_budget', limit: 'maxTokens' } as const;
  expect((await live({ ...once, compact: () => exceeded })).run.state).toEqual({
    kind: 'SUSPENDED',
    reason: 'budget_exceeded',
    limit: 'maxTokens',
  });
  const suspended = await live({ ...once, compact: () => ({ kind: 'interrupted', suspend: true }) });
  expect(suspended.run.state).toEqual({ kind: 'SUSPENDED', reason: 'suspended' });
  const cancelled = await live({ ...once, compact: () => ({ kind: 'interrupted' }) });
  expect(cancelled.outcome).toEqual({ result: { state: 'CANCELLED', reason: 'cancelled' } });
});

test('M2 where not even the ledger alone makes a projection, a person is asked', async () => {
  const { run } = await live({ ...once, compact: () => ({ kind: 'gave_up', code: 'ACTIVITY_FAILED' }) });
  expect(run.state).toEqual({ kind: 'WAITING_FOR_USER', reason: 'blocked' });
});
