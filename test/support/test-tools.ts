import type {
  ArtifactPort,
  ProbeResult,
  ToolContext,
  ToolDefinition,
  ToolEnforcers,
  ToolResult,
  WriteContext,
  WriteTool,
} from '../../src/activities/ports';
import type { EffectClass } from '../../src/domain/effect/effect';

type Args = Record<string, unknown>;

/** What a read and a write of a test both get. */
export interface RunContext {
  readonly signal: AbortSignal;
  readonly tenant: string;
  readonly artifacts: ArtifactPort;
  /** The key that a write is sent under; empty for a read. */
  readonly idempotencyKey: string;
  readonly readOnlyRole?: true;
}

interface ToolOptions {
  readonly name: string;
  readonly effect?: 'none' | EffectClass;
  readonly quick?: boolean;
  readonly timeoutMs?: number;
  readonly untrusted?: true;
  /** Of a read. */
  readonly protected?: true;
  readonly looks?: false;
  readonly enforces?: ToolEnforcers;
  /** What is wrong with the arguments. */
  readonly validate?: (args: unknown) => string | undefined;
  /** A write's answer: ok is committed, not ok is rejected, and a throw leaves it unknown. */
  readonly run: (args: Args, context: RunContext) => Promise<ToolResult> | ToolResult;
  /** Of a probed write; left out, it can never tell. */
  readonly probe?: (key: string, args: Args, context: WriteContext) => Promise<ProbeResult> | ProbeResult;
  /** Fields of a write: business key, target, compensation and the like. */
  readonly write?: Partial<Omit<WriteTool, 'effect' | 'probe' | 'send' | 'name'>>;
}

/** A tool of a test, without a workspace. */
export function tool(options: ToolOptions): ToolDefinition {
  const { name, effect = 'none', quick = effect !== 'unsafe', timeoutMs = 10_000, untrusted, run } = options;
  const base = {
    name,
    description: `Test tool ${name}.`,
    schema: { type: 'object' },
    validate: options.validate ?? (() => undefined),
    quick,
    timeoutMs,
    version: '0123456789abcdef',
    workspace: false as const,
    ...(untrusted && { untrusted }),
    ...(options.enforces && { enforces: options.enforces }),
  };
  if (effect === 'none') {
    return {
      ...base,
      effect,
      ...(options.protected && { protected: true as const }),
      ...(options.looks === false && { looks: false as const }),
      run: async (args: Args, context: ToolContext) => run(args, { ...context, idempotencyKey: '' }),
    };
  }
  const write = { ...base, ...options.write, send: sending(run) };
  if (effect !== 'probed') return { ...write, effect };
  const probe = options.probe ?? (() => ({ kind: 'unknown' }) as const);
  return {
    ...write,
    effect,
    probe: async (key: string, args: Args, context: WriteContext) => probe(key, args, context),
  };
}

function sending(run: ToolOptions['run']) {
  return async (idempotencyKey: string, args: Args, context: WriteContext) => {
    const result = await run(args, { ...context, idempotencyKey });
    if (result.ok) return { kind: 'committed', output: result.output } as const;
    return { kind: 'rejected', failure: result.failure, error: result.error } as const;
  };
}

export const ok = (output: string): ToolResult => ({ ok: true, output });
