import type { Batch } from '../../src/protocol/attempt';
import { describe as details } from '../../src/workflows/messages/details';
import { pendingOf, type Reply } from '../../src/workflows/messages/pending';
import { pending, status } from '../../src/workflows/messages/queries';
import { read } from '../../src/workflows/messages/read';
import { type RunState, reasonOf } from '../../src/workflows/run/run-state';
import { decide } from './support/decide';
import { FakeLedger } from './support/fake-ledger';
import { action, input } from './support/inputs';

const batch: Batch = { actions: [action(2, { tool: 'create_refund' }), action(3)], stop: { kind: 'actions' } };
const binding = 'ab'.repeat(32);
const approval: RunState = { kind: 'WAITING_FOR_APPROVAL', batch, binding, expiresAt: Date.UTC(2030, 0, 2) };
const states: readonly RunState[] = [
  approval,
  { kind: 'WAITING_FOR_EFFECT', batch, effect: 'default/create_refund/1042/g1' },
  { kind: 'RECONCILING', batch, round: 2, ask: false },
  { kind: 'RECONCILING', batch, round: 6, ask: true },
  { kind: 'SUSPENDED', reason: 'suspended' },
  { kind: 'SUSPENDED', reason: 'budget_exceeded', limit: 'maxCostMicroUsd' },
  { kind: 'SUSPENDED', reason: 'budget_exceeded', limit: 'tenantMaxCostMicroUsd' },
  { kind: 'SUSPENDED', reason: 'budget_exceeded', limit: 'maxTokens', least: 103_200 },
  { kind: 'SUSPENDED', reason: 'budget_exceeded' },
  { kind: 'WAITING_FOR_USER', reason: 'waiting_for_user' },
  { kind: 'CANCELLING', round: 3, ask: true },
  { kind: 'EXECUTING_TOOL', batch },
];

/** A run that is in the state, in its third step. */
async function runIn(state: RunState) {
  const { run } = await decide(input({}, 'refund/1'), new FakeLedger({}), []);
  return Object.assign(run, { state, step: 3 });
}
const replies = (state: RunState) =>
  pendingOf(state, 3, input({}, 'refund/1').ref).flatMap(({ command, signal, or }): Reply[] => [
    { command, ...(signal && { signal }) },
    ...(or ? [or] : []),
  ]);

test('R5.3 an approval is asked for with the action, when it expires, and both answers as commands and as signals', async () => {
  const run = await runIn(approval);
  expect(pending(run)).toEqual([
    {
      kind: 'approval',
      reason: 'paused_for_approval',
      actionId: 'refund/1/s3.a2',
      tool: 'create_refund',
      expiresAt: '2030-01-02T00:00:00.000Z',
      command: 'holdfast approve refund/1 refund/1/s3.a2',
      signal: { name: 'approve', input: { actionId: 'refund/1/s3.a2', by: 'you', binding } },
      or: {
        command: 'holdfast deny refund/1 refund/1/s3.a2',
        signal: { name: 'deny', input: { actionId: 'refund/1/s3.a2', by: 'you', binding } },
      },
    },
  ]);
  const shown = details(run);
  expect(shown).toContain('**WAITING_FOR_APPROVAL** (paused_for_approval) · turn 1 · step 3');
  expect(shown).toContain('`create_refund` (`refund/1/s3.a2`) · until 2030-01-02T00:00:00.000Z');
  expect(shown).toContain(`\`{"actionId":"refund/1/s3.a2","by":"you","binding":"${binding}"}\``);
});

test.each<[RunState, string[]]>([
  [
    { kind: 'RECONCILING', batch, round: 6, ask: true },
    [
      'holdfast reconcile refund/1 refund/1/s3.a2 --committed --evidence "…"',
      'holdfast reconcile refund/1 refund/1/s3.a2 --not-committed --evidence "…"',
    ],
  ],
  [{ kind: 'RECONCILING', batch, round: 2, ask: false }, []],
  [{ kind: 'WAITING_FOR_EFFECT', batch, effect: 'k' }, ['holdfast inbox']],
  [{ kind: 'CANCELLING', round: 1, ask: true }, ['holdfast inbox']],
  [{ kind: 'CANCELLING', round: 1, ask: false }, []],
  [{ kind: 'SUSPENDED', reason: 'suspended' }, ['holdfast resume refund/1', 'holdfast cancel refund/1']],
  [
    { kind: 'SUSPENDED', reason: 'budget_exceeded', limit: 'maxRuntimeMs' },
    ['holdfast resume refund/1 --budget maxRuntimeSeconds=…', 'holdfast cancel refund/1'],
  ],
  [
    { kind: 'SUSPENDED', reason: 'budget_exceeded', limit: 'maxTokens', least: 103_200 },
    ['holdfast resume refund/1 --budget maxTokens=103200', 'holdfast cancel refund/1'],
  ],
  [{ kind: 'WAITING_FOR_USER', reason: 'blocked' }, ['holdfast say refund/1 "…"']],
  [{ kind: 'EXECUTING_TOOL', batch }, []],
])('R2.3 %j says what answers it', (state, commands) => {
  expect(replies(state).map(({ command }) => command)).toEqual(commands);
});

test('R2.3 an attempt of another tenant is answered under that tenant', () => {
  const ref = { tenant: 'acme', id: 'refund/1', key: 1 };
  expect(pendingOf(approval, 3, ref)[0]?.command).toBe('holdfast approve refund/1 refund/1/s3.a2 --tenant acme');
});

test.each(states)('R2.3 what is shown of %j holds no character that the UI reads as mathematics', async (state) => {
  const odd = { ...batch, actions: [action(2, { tool: 'pay$`now`$' })] };
  const run = await runIn('batch' in state ? { ...state, batch: odd } : state);
  const reason = reasonOf(state);
  expect(details(run)).not.toContain('$');
  expect(details(run).split('`').length % 2).toBe(1);
  expect(details(run)).toContain(`**${state.kind}**${reason ? ` (${reason})` : ' ·'}`);
  expect(status(run).reason).toBe(reason);
});

test('M4 every signal that is shown is understood as it is shown, once its gaps are filled', () => {
  const fill = (text: string) => JSON.parse(text.replaceAll('"maxCostUsd":"…"', '"maxCostUsd":5')) as unknown;
  const shown = states.flatMap(replies).flatMap(({ signal }) => (signal ? [signal] : []));
  expect(new Set(shown.map(({ name }) => name)).size).toBe(6);
  for (const { name, input: typed } of shown) {
    expect(read(name, fill(JSON.stringify(typed))).content.kind).toBe(name);
  }
});

test('R6.1 a limit of the tenant is not raised by a message: the attempt is only asked to try again', () => {
  const [tenants] = replies({ kind: 'SUSPENDED', reason: 'budget_exceeded', limit: 'tenantMaxCostMicroUsd' });
  expect(tenants).toEqual({
    command: 'holdfast resume refund/1',
    signal: { name: 'resume', input: { by: 'you' } },
  });
});

test('R6.3 the details name the least that lets an attempt go on, and a signal that sets it', async () => {
  const shown = details(
    await runIn({ kind: 'SUSPENDED', reason: 'budget_exceeded', limit: 'maxTokens', least: 103_200 }),
  );
  expect(shown).toContain('limit: `maxTokens`');
  expect(shown).toContain('goes on from 103200');
  expect(shown).toContain('{"by":"you","budget":{"maxTokens":103200}}');
});
