import { setTimeout as sleep } from 'node:timers/promises';
import type { ToolDefinition } from '../../src/activities/ports';

/** More than any benchmark lets it read, ms. */
const waitTimeoutMs = 30_000;

/** A read that takes `ms`, as one of a slow system outside does. */
export const waitTool = (quick: boolean): ToolDefinition => ({
  name: 'wait',
  description: 'Reads for so many milliseconds.',
  schema: { type: 'object', properties: { ms: { type: 'number' } }, required: ['ms'] },
  validate: (args) => (typeof args === 'object' && args !== null && 'ms' in args ? undefined : 'ms is missing'),
  effect: 'none',
  workspace: false,
  quick,
  timeoutMs: waitTimeoutMs,
  version: 'wait-1',
  async run({ ms }: { ms: number }, { signal }) {
    await sleep(ms, undefined, { signal });
    return { ok: true, output: `Read for ${ms} ms.` };
  },
});
