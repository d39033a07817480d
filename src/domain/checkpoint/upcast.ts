import { z } from 'zod';
import { endStates } from '../attempt/states';

/** Steps from one version of the document to the next; each knows the one before it and no other. */
const steps: Readonly<Record<number, (body: unknown) => unknown>> = { 1: fromFirst, 2: fromSecond };

/** A document as the newest version has it; whatever is none is handed on as it is, to be refused by its schema. */
export function upcast(body: unknown): unknown {
  let newest = body;
  for (;;) {
    const version = z.looseObject({ v: z.number() }).safeParse(newest);
    const step = version.success ? steps[version.data.v] : undefined;
    if (!step) return newest;
    newest = step(newest);
  }
}

/** It did not say what went on elsewhere. */
function fromSecond(body: unknown): unknown {
  return { ...Object(body), v: 3, elsewhere: null };
}

const first = z.looseObject({
  state: z.unknown(),
  reason: z.unknown(),
  turn: z.unknown(),
  step: z.unknown(),
  heard: z.unknown(),
  taskState: z.unknown(),
  unmet: z.unknown(),
  account: z.unknown(),
  limits: z.unknown(),
  baseCommit: z.unknown(),
  snapshot: z.unknown(),
  effects: z.object({
    committed: z.number(),
    uncertain: z.array(z.object({ action: z.string(), phase: z.string() })),
  }),
  models: z.array(z.string()),
  versions: z.record(z.string(), z.string()),
});

/** It counted committed effects, named actions by their whole ids, and noted no versions of models, tools and policy. */
function fromFirst(body: unknown): unknown {
  const parsed = first.safeParse(body);
  if (!parsed.success) return undefined;
  const { state, reason, turn, step, heard, taskState, unmet, account, limits, baseCommit, snapshot, ...rest } =
    parsed.data;
  return {
    v: 2,
    at: endStates.some((end) => end === state) ? 'end' : 'pause',
    thread: null,
    turn,
    step,
    state,
    reason,
    plan: taskState,
    unmet,
    context: { projection: 0, contract: null, input: heard },
    versions: {
      code: rest.versions['holdfast'] ?? null,
      policy: null,
      environment: null,
      models: Object.fromEntries(rest.models.map((name) => [name, null])),
      tools: null,
    },
    effects: {
      committed: [],
      more: rest.effects.committed > 0,
      uncertain: rest.effects.uncertain.map(({ action, phase }) => ({
        action: action.slice(action.lastIndexOf('/') + 1),
        phase,
      })),
    },
    budget: { used: account, limits },
    base: baseCommit,
    snapshot,
  };
}
