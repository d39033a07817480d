import type { PolicyPort, ToolDefinition, ToolResult } from '../../src/activities/ports';
import { testPolicy, writesAsk } from '../support/test-policy';
import { ok, tool } from '../support/test-tools';
import type { Scenario } from './scenarios';

/** Some eight hundred tokens. */
const pageChars = 4_000;

/**
 * The tools of a scenario: one a way that a call can go. Where the first send of a write is lost, whatever it did, those after it
 * are answered. `quick`: whether those that may be are.
 */
export function scenarioTools(quick: boolean): ToolDefinition[] {
  const lost = new Set<string>();
  const losesFirst = (name: string) => {
    if (lost.has(name)) return ok('Done.');
    lost.add(name);
    throw new Error('The connection was lost.');
  };
  const rung = new Set<unknown>();
  /** Busy the first time that it is asked for this. */
  const ring = (n: unknown): ToolResult => {
    if (rung.has(n)) return ok('Hello.');
    rung.add(n);
    const error = { code: 'BUSY', message: 'Busy.', retryable: true, suggested_action: 'Ask later.' };
    return { ok: false, failure: { class: 'tool_transient', code: 'BUSY' }, error };
  };
  let looks = 0;
  return [
    { ...tool({ name: 'read_page', run: ({ page }) => ok(`Page ${page}. ${'x y '.repeat(pageChars / 4)}`) }), quick },
    { ...tool({ name: 'look', run: () => ok('Nothing new.') }), quick },
    { ...tool({ name: 'ring', run: ({ n }) => ring(n) }), quick },
    // Not even a failed result: a bug, so its call has no answer (M2).
    { ...tool({ name: 'broken', run: () => undefined as never }), quick },
    { ...tool({ name: 'pay', effect: 'deduplicated', run: () => ok('Paid.') }), quick },
    { ...tool({ name: 'undo_pay', effect: 'deduplicated', run: () => ok('Paid back.') }), quick },
    {
      ...tool({
        name: 'transfer',
        effect: 'probed',
        run: () => losesFirst('transfer'),
        // Found at the second look.
        probe: () => {
          looks += 1;
          return looks > 1 ? { kind: 'committed', output: 'Transferred.' } : { kind: 'not_found' };
        },
      }),
      quick,
    },
    tool({ name: 'mail', effect: 'unsafe', run: () => losesFirst('mail'), write: { target: () => 'box' } }),
  ];
}

export function scenarioPolicy({ asks }: Scenario): PolicyPort {
  return asks ? testPolicy(writesAsk({ expiresInMs: asks.expiresInMs })) : testPolicy();
}
