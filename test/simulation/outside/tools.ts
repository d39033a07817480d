import type { ReadTool, ToolDefinition, ToolPort, WriteTool } from '../../../src/activities/ports';
import type { EffectClass } from '../../../src/domain/effect/effect';
import { createRegistry } from '../../../src/tools/registry';
import type { Owner } from '../engine/scheduler';
import type { Outside } from './outside';

/** What the tools of a schedule are like. */
export interface ToolTraits {
  readonly quick: boolean;
  readonly prepares: boolean;
}
export type WriteName = 'put' | 'charge' | 'wire' | 'mail';
export const writeNames: readonly WriteName[] = ['put', 'charge', 'wire', 'mail'];

const classes: Readonly<Record<WriteName, EffectClass>> = {
  put: 'idempotent',
  charge: 'deduplicated',
  wire: 'probed',
  mail: 'unsafe',
};

/** Of a write; `id` names the business operation, and where it is left out each action is one of its own. */
export interface WriteArgs {
  readonly id?: string;
  readonly box: string;
  readonly amount: number;
}

/** How long a tool waits, ms: longer than a lease, so that an owner can be lost while it waits. */
export const toolTimeoutMs = 5_000;

/** One tool of each effect class over the world outside, and a read, as one process calls them. */
export function toolsOf(
  owner: Owner,
  outside: Outside,
  traits: Readonly<Record<WriteName, ToolTraits>>,
  onPrepare: (owner: Owner) => Promise<void>,
  quickPeek = true,
): ToolPort {
  const writes = writeNames.map((name) => write(name, traits[name], owner, outside, onPrepare));
  return createRegistry([...writes, look, peek(owner, outside, quickPeek)]);
}

const common = { schema: { type: 'object' }, timeoutMs: toolTimeoutMs, validate: () => undefined } as const;

/** Makes a look as long as a quarter of a small context (plan.ts). */
const lookRepeats = 350;

const look: ReadTool = {
  ...common,
  name: 'look',
  description: 'Looks.',
  version: 'look1',
  quick: true,
  effect: 'none',
  workspace: false,
  run: async ({ n }: { n?: number }) => ({
    ok: true,
    output: `Seen ${n}. ${'There is nothing here. '.repeat(lookRepeats)}`,
  }),
};

/** Of a look into a box. `by`: number of the attempt; `n` tells one from another; `amount`: what policy decides by. */
export interface PeekArgs {
  readonly by: number;
  readonly n: number;
  readonly box: string;
  readonly amount?: number;
}

/** Says what is in a box, as a read of a system outside does that may be busy. */
const peek = (owner: Owner, outside: Outside, quick: boolean): ReadTool => ({
  ...common,
  name: 'peek',
  description: 'Looks into a box.',
  version: 'peek1',
  quick,
  effect: 'none',
  workspace: false,
  run: async ({ by, box }: PeekArgs, { signal }) => {
    const seen = await outside.peek(owner, by, `box:${box}`, signal);
    if (seen) return { ok: true, output: JSON.stringify(seen) };
    const error = { code: 'BUSY', message: 'Too busy.', retryable: true, suggested_action: 'Ask later.' };
    return { ok: false, failure: { class: 'tool_transient', code: 'BUSY' }, error };
  },
});

function write(
  name: WriteName,
  traits: ToolTraits,
  owner: Owner,
  outside: Outside,
  onPrepare: (owner: Owner) => Promise<void>,
): ToolDefinition {
  const effectClass = classes[name];
  const operationOf = ({ id }: WriteArgs, key: string) => (id === undefined ? key : `${name}/${id}`);
  const base = {
    ...common,
    name,
    description: `Writes as ${effectClass}.`,
    version: `${name}1`,
    quick: traits.quick && effectClass !== 'unsafe',
    workspace: false as const,
    credentialDomain: 'bank',
    businessKey: ({ id }: WriteArgs) => id,
    operationArguments: ['id', 'amount'],
    target: ({ box }: WriteArgs) => `box:${box}`,
    ...(traits.prepares && {
      prepare: async (args: WriteArgs) => {
        await onPrepare(owner);
        return args;
      },
    }),
    ...(name === 'charge' && { rejectionIsFinalForKey: true as const }),
    send: (key: string, args: WriteArgs, { signal }: { signal: AbortSignal }) =>
      outside.send(
        owner,
        {
          tool: name,
          effectClass,
          key,
          operation: operationOf(args, key),
          target: `box:${args.box}`,
          args: { ...args },
        },
        signal,
      ),
  };
  if (effectClass !== 'probed') return { ...base, effect: effectClass } as WriteTool;
  const probe = (key: string, _args: WriteArgs, { signal }: { signal: AbortSignal }) =>
    outside.probe(owner, key, signal);
  return { ...base, effect: effectClass, probe } as WriteTool;
}
