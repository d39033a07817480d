import type { AttemptRef } from '../../src/protocol/ids';
import { type AttemptWorld, attemptWorld } from '../support/attempt-world';
import { killAtRandom } from '../support/kill-at-random';
import { brokenInvariants } from '../support/ledger-invariants';
import { eventTypes } from '../support/ledger-rows';
import { gitIn, type Sandpit, sandpit } from '../workspace/support/sandpit';

const kills = 4;
/** Each appends a line by a command, so a try that were run on top of another would show. */
const steps = 26;

let world: AttemptWorld;
let pit: Sandpit;
beforeAll(async () => {
  pit = sandpit({ 'log.txt': '' });
  const entries = [
    { from: 1, to: steps, calls: [{ tool: 'run_command', args: { command: 'echo {step} >> log.txt; sleep 0.05' } }] },
    { from: steps + 1, to: steps + 1, calls: [{ tool: 'write_file', args: { path: 'done.txt', content: 'yes\n' } }] },
    { from: steps + 2, calls: [{ tool: 'finish', args: { summary: 'Counted.', status: 'done' } }] },
  ];
  world = await attemptWorld({ transcript: { entries } });
});
afterAll(async () => {
  await world.close();
  pit.remove();
});

test('E10, R4.10 a command whose worker is killed in the middle leaves its changes once, and the commit holds them', async () => {
  const ref = await world.start({
    contract: {
      kind: 'code_change',
      tools: ['run_command', 'write_file'],
      workspace: pit.spec,
      acceptance: [
        { id: 'changed', check: 'diff', mustChange: ['log.txt'] },
        { id: 'counted', check: 'command', run: `test "$(wc -l < log.txt)" -eq ${steps} && test -f done.txt` },
      ],
    },
    limits: { maxTokens: 100_000_000, maxToolCalls: 1_000 },
  });
  await killAtRandom(world, { kills, seed: 3 });

  expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
  expect(await brokenInvariants(world.pool)).toEqual([]);
  expect(await eventTypes(world.pool, ref)).not.toContain('gave_up');
  expect(committed(ref, 'log.txt')).toBe(Array.from({ length: steps }, (_, index) => index + 1).join('\n'));
  expect(committed(ref, 'done.txt')).toBe('yes');
}, 240_000);

function committed(ref: AttemptRef, path: string): string {
  return gitIn(pit.repo, 'show', `holdfast/${ref.id}:${path}`);
}
