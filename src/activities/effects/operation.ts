import { canonicalHash } from '../../domain/canonical';
import { idempotencyKey } from '../../domain/effect/effect';
import type { StartSnapshot } from '../../protocol/attempt';
import { type AttemptRef, actionId, taskOf } from '../../protocol/ids';
import type { AttemptTx } from '../ledger-port';
import type { WriteTool } from '../ports';

/** What one action would do outside, as the effect log knows it. */
export interface Operation {
  /** Without tenant and generation (E1). */
  readonly key: string;
  readonly target: string;
  /** SHA-256 over the arguments that make the operation what it is. */
  readonly argsHash: string;
}

/** A longer business key is kept by its hash: keys are indexed, and other systems take short ones. */
const businessKeyMaxChars = 160;

/**
 * The operation that an action asks for (E1). Without a business key each action is one of its own. The parts of a key hold
 * no slash, and no task is called `~…`, so no two kinds of key can be the same text.
 */
export function operationOf(
  tool: WriteTool,
  args: Readonly<Record<string, unknown>>,
  { ref, start }: { readonly ref: AttemptRef; readonly start: StartSnapshot },
  step: number,
  index: number,
): Operation {
  const key = start.compensation
    ? compensationKey(ref.tenant, start.compensation.effect)
    : keyOf(tool, args, ref, step, index);
  const bound = tool.operationArguments;
  const operation = bound ? Object.fromEntries(bound.map((name) => [name, args[name]])) : args;
  return {
    key,
    target: tool.target?.(args as never) ?? key,
    argsHash: canonicalHash({ tool: tool.name, args: operation }),
  };
}

/**
 * The same where other attempts of the task act for the same end: without a business key, under the key that one of them did it
 * with, so that what is known of that answers (R12.3, E1, E7).
 */
export async function kinOperation(
  tx: Pick<AttemptTx, 'attempt' | 'kinKey'>,
  tool: WriteTool,
  args: Readonly<Record<string, unknown>>,
  operation: Operation,
  { step, index }: { readonly step: number; readonly index: number },
): Promise<Operation> {
  if (tx.attempt.start.compensation || tool.businessKey?.(args as never) !== undefined) return operation;
  const key = await tx.kinKey({ tool: tool.name, argsHash: operation.argsHash }, step, index);
  if (key === undefined) return operation;
  return { ...operation, key, target: tool.target ? operation.target : key };
}

/** E9: what undoes an effect happens once for that effect. */
export const compensationKey = (tenant: string, effect: Parameters<typeof idempotencyKey>[1]) =>
  `compensate/${idempotencyKey(tenant, effect)}`;

function keyOf(tool: WriteTool, args: unknown, ref: AttemptRef, step: number, index: number): string {
  const business = tool.businessKey?.(args as never);
  if (business === undefined) return actionId(ref.id, step, index);
  const text = encodeURIComponent(business);
  const short = text.length > businessKeyMaxChars ? `sha256:${canonicalHash({ business })}` : text;
  const name = encodeURIComponent(tool.name);
  return tool.scope === 'task' ? `${name}/~${taskOf(ref.id)}/${short}` : `${name}/${short}`;
}
