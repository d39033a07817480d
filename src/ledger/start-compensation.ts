import { createHash } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { isEnd } from '../domain/attempt/states';
import type { Limits } from '../domain/budget/account';
import type { Contract } from '../domain/contract/contract';
import { type EffectClass, type EffectPhase, type EffectRef, idempotencyKey, stands } from '../domain/effect/effect';
import { actionHash, shortHash } from '../protocol/action-hash';
import type { RunSettings } from '../protocol/attempt';
import type { PlannedAction } from '../protocol/calls';
import { jsonParam, textParam } from './json';
import { attemptsOf, decideStart, inStart, type StartOutcome, type StartRequest } from './start-attempt';

/**
 * The compensation of an effect: a small Attempt of its own, whose one action is given here and whose first step is thereby
 * written (E9). It has the task of its effect, so the same effect asked for twice is undone once.
 */
export interface CompensationRequest {
  readonly tenant: string;
  /** The effect to undo. */
  readonly effect: EffectRef;
  /** The write that undoes it, as the effect's tool declares it. */
  readonly tool: CompensatingTool;
  readonly args: Readonly<Record<string, unknown>>;
  readonly limits: Limits;
  readonly snapshot: RunSettings;
  readonly versions: Readonly<Record<string, string>>;
  readonly by?: string;
}
export interface CompensatingTool {
  readonly name: string;
  readonly effect: EffectClass;
  readonly quick: boolean;
  readonly timeoutMs: number;
}

export type CompensationOutcome =
  | StartOutcome
  /** Only what was committed, and is not undone, can be undone; `phase` is undefined where there is no such effect. */
  | { readonly kind: 'not_committed'; readonly phase: EffectPhase | undefined };

/** As many digits as tell the effects of a tenant apart, in a name that a person can copy. */
const taskDigits = 16;

/** The task that an effect is undone under. */
export function compensationTask(tenant: string, effect: EffectRef): string {
  const hash = createHash('sha256').update(idempotencyKey(tenant, effect)).digest('hex');
  return `compensate.${hash.slice(0, taskDigits)}`;
}

/** Rejects with the driver's error where the database cannot be reached; nothing is stored then. */
export function startCompensation(pool: Pool, request: CompensationRequest): Promise<CompensationOutcome> {
  const { tenant, effect } = request;
  const task = compensationTask(tenant, effect);
  return inStart(pool, { tenant, task }, async (client): Promise<CompensationOutcome> => {
    const phase = await phaseOf(client, tenant, effect);
    // What could not be undone may be tried again.
    if (phase === undefined || !stands({ phase })) {
      const earlier = (await attemptsOf(client, { tenant, task })).find(
        ({ state }) => !isEnd(state) || state === 'COMPLETED',
      );
      if (earlier === undefined) return { kind: 'not_committed', phase };
      return { kind: isEnd(earlier.state) ? 'completed_before' : 'running', attempt: earlier };
    }
    const action = plannedAction(request);
    const outcome = await decideStart(client, startRequest(request, task, action.planned));
    if (outcome.kind === 'created') await writeFirstStep(client, outcome.attempt.ref.key, request, action.argsHash);
    return outcome;
  });
}

async function phaseOf(client: PoolClient, tenant: string, effect: EffectRef): Promise<EffectPhase | undefined> {
  const { rows } = await client.query<{ phase: EffectPhase }>(
    'select phase from effects where tenant = $1 and key = $2 and generation = $3',
    [tenant, textParam(effect.key), effect.generation],
  );
  return rows[0]?.phase;
}

function plannedAction({ tool, args }: CompensationRequest): { planned: PlannedAction; argsHash: string } {
  const argsHash = actionHash(tool.name, args);
  const quick = tool.quick && tool.effect !== 'unsafe';
  const timeout = quick ? {} : { timeoutMs: tool.timeoutMs };
  return {
    planned: { index: 0, tool: tool.name, hash: shortHash(argsHash), quick, ...timeout },
    argsHash,
  };
}

function startRequest(request: CompensationRequest, task: string, action: PlannedAction): StartRequest {
  const { tenant, effect, tool, args, limits, versions, by } = request;
  const key = idempotencyKey(tenant, effect);
  const contract: Contract = {
    kind: 'dialog',
    goal: `Undo ${key} by ${tool.name}.`,
    constraints: [],
    forbidden: [],
    tools: [tool.name],
    acceptance: [],
  };
  return {
    tenant,
    task,
    contract,
    limits,
    input: `Undo ${key}: ${tool.name} ${JSON.stringify(args)}`,
    snapshot: {
      kind: contract.kind,
      hasWorkspace: false,
      criteria: [],
      models: [],
      ...request.snapshot,
      compensation: { action, effect: { key: effect.key, generation: effect.generation } },
    },
    versions,
    ...(by === undefined ? {} : { by }),
  };
}

/** The proposal that no model made. */
async function writeFirstStep(
  client: PoolClient,
  attempt: number,
  { tool, args }: CompensationRequest,
  argsHash: string,
): Promise<void> {
  await client.query(
    `insert into steps (attempt, step, turn, stop, body, tokens) values ($1, 1, 1, '{"kind":"compensation"}', '{"text":""}', 0)`,
    [attempt],
  );
  await client.query(
    `insert into actions (attempt, step, index, call_id, tool, effect, args, args_hash)
     values ($1, 1, 0, 'compensation', $2, $3, $4, $5)`,
    [attempt, tool.name, tool.effect, jsonParam({ text: JSON.stringify(args) }), argsHash],
  );
  await client.query('update attempts set step = 1 where key = $1', [attempt]);
}
