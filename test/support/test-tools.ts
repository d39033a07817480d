import type { ToolContext, ToolDefinition, ToolResult } from '../../src/activities/ports';

interface ToolOptions {
  readonly name: string;
  readonly effect?: 'none' | 'idempotent';
  readonly quick?: boolean;
  readonly timeoutMs?: number;
  /** What is wrong with the arguments. */
  readonly validate?: (args: unknown) => string | undefined;
  readonly run: (args: Record<string, unknown>, context: ToolContext) => Promise<ToolResult> | ToolResult;
}

/** A tool of a test, without a workspace. */
export function tool({
  name,
  effect = 'none',
  quick = true,
  timeoutMs = 10_000,
  ...rest
}: ToolOptions): ToolDefinition {
  return {
    name,
    description: `Test tool ${name}.`,
    schema: { type: 'object' },
    validate: rest.validate ?? (() => undefined),
    quick,
    timeoutMs,
    effect,
    workspace: false,
    run: async (args: never, context) => rest.run(args, context),
  };
}

export const ok = (output: string): ToolResult => ({ ok: true, output });
