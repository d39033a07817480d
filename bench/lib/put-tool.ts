import { appendFileSync } from 'node:fs';
import type { ToolDefinition } from '../../src/activities/ports';

/** Longest that `put` may take where it is no quick tool, ms; it takes microseconds. */
const putTimeoutMs = 5_000;

/** The pairs that were put; a repeat puts the same. */
export const store = new Map<string, string>();

export function put(key: string, value: string): string {
  store.set(key, value);
  return `stored ${key}`;
}

/** One tool: a write that is idempotent and takes no time. `logFile` gets a line for each run, with its key and time. */
export function putTool(quick: boolean, logFile?: string): ToolDefinition {
  return {
    name: 'put',
    description: 'Stores a value under a key.',
    schema: {
      type: 'object',
      properties: { key: { type: 'string' }, value: { type: 'string' } },
      required: ['key', 'value'],
      additionalProperties: false,
    },
    validate: (args) => (isPair(args) ? undefined : 'key and value must be texts'),
    effect: 'idempotent',
    workspace: false,
    quick,
    timeoutMs: putTimeoutMs,
    version: 'put-1',
    async send(idempotencyKey: string, args: { key: string; value: string }) {
      if (logFile !== undefined)
        appendFileSync(logFile, `${JSON.stringify({ key: idempotencyKey, at: Date.now() })}\n`);
      return { kind: 'committed', output: put(args.key, args.value) };
    },
  };
}

function isPair(value: unknown): value is { key: string; value: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof Reflect.get(value, 'key') === 'string' &&
    typeof Reflect.get(value, 'value') === 'string'
  );
}
