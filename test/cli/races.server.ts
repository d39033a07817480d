import { brokenInvariants } from '../support/ledger-invariants';
import { type CliWorld, cliWorld } from './support/cli-world';

const refund = { calls: [{ tool: 'create_refund', args: { orderId: '1042', amount: 40 } }] };
const done = { calls: [{ tool: 'finish', args: { summary: 'It is refunded.', status: 'done' } }] };
const asks = { calls: [{ tool: 'ask_user', args: { question: 'And now?' } }] };
const attempts = {
  all: { 1: refund, 2: done },
  'asking/1': { 1: asks },
  'asking/2': { 1: asks },
};

let world: CliWorld;
beforeAll(async () => {
  world = await cliWorld({ attempts }, 'rules:\n  - { id: everything, decision: allow }\n');
});
afterAll(() => world?.close());
afterEach(async () => expect(await brokenInvariants(world.attempts.pool)).toEqual([]));

interface Shown {
  readonly attemptId: string;
  readonly state: string;
  readonly race: { readonly attempts: readonly string[]; readonly won: string | null };
}
const action = {
  kind: 'business_action',
  acceptance: [
    { id: 'refunded', check: 'external', tool: 'lookup_order', args: { orderId: '1042' }, expect: { orderId: '1042' } },
  ],
};

test('R15.1, E1 attempts that all refund one order: it is refunded once, one of them is the result, and list and show say which', async () => {
  const file = world.task('all', action);
  const shown = await world.json<Shown[]>(0, 'start', file, '--attempts', '3', '--wait');
  const all = ['all/1', 'all/2', 'all/3'];
  expect(shown.map(({ attemptId }) => attemptId)).toEqual(all);
  const won = shown.find(({ state }) => state === 'COMPLETED')?.attemptId;
  expect(all).toContain(won);
  for (const { race } of shown) expect(race).toEqual({ attempts: all, won });

  const phases: string[] = [];
  for (const id of all)
    phases.push(...(await world.json<{ phase: string }[]>(0, 'effects', id)).map(({ phase }) => phase));
  expect(phases.filter((phase) => phase === 'COMMITTED')).toHaveLength(1);
  expect((await world.run('list')).stdout).toContain('the result');
  expect((await world.run('show', won ?? '')).stdout).toContain(`all/1, all/2, all/3: ${won} met the contract first`);
});

test('R15.1 attempts that all wait for somebody end a wait with exit code 3; the same start finds them, and another number is refused', async () => {
  const file = world.task('asking', action);
  const shown = await world.json<Shown[]>(3, 'start', file, '--attempts', '2', '--wait');
  expect(shown.map(({ state }) => state)).toEqual(['WAITING_FOR_USER', 'WAITING_FOR_USER']);
  expect(await world.json(0, 'start', file, '--attempts', '2')).toMatchObject([
    { attemptId: 'asking/1', outcome: 'running' },
    { attemptId: 'asking/2', outcome: 'running' },
  ]);
  const refused = await world.run('start', file, '--attempts', '3');
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain('--attempts 2');
});
