import type { RevocationKind } from '../../../src/activities/ledger-port';
import { seeded } from '../../support/seeded';
import {
  type BadSummary,
  badSummaries,
  type ModelBehaviour,
  modelBehaviours,
  type Script,
  type ScriptedAction,
} from '../outside/model';
import { type Behaviour, behaviours, type LookBehaviour, lookBehaviours } from '../outside/outside';
import { amounts } from '../outside/policy';
import { type PeekArgs, type ToolTraits, type WriteArgs, type WriteName, writeNames } from '../outside/tools';

/**
 * All that a schedule is made of, as data: what attempts want, what the other side does, and what goes wrong when. The order
 * of everything else is drawn from `seed` as it runs. Parts can be taken out one by one.
 */
export interface Plan {
  readonly seed: number;
  readonly processes: number;
  readonly quickModel: boolean;
  readonly stepsPerRun: number;
  readonly tools: Readonly<Record<WriteName, ToolTraits>>;
  readonly attempts: readonly Script[];
  /** By the number of the request, the probe or the model call, over all attempts; what is left out goes well. */
  readonly requests: Readonly<Record<number, Behaviour>>;
  readonly probes: Readonly<Record<number, 'finds nothing' | 'hangs'>>;
  readonly models: Readonly<Record<number, ModelBehaviour>>;
  /** Set where the views of its attempts grow too long for the model, and are compacted. */
  readonly contextTokens?: number;
  /** By the number of the summary, over all attempts; what is left out is of use. */
  readonly summaries?: Readonly<Record<number, BadSummary>>;
  /** Set where its attempts look into boxes side by side: what the look is like, how many run at once, and what looks meet. */
  readonly beside?: {
    readonly quick: boolean;
    readonly max: number;
    readonly looks: Readonly<Record<number, LookBehaviour>>;
  };
  readonly events: readonly PlannedEvent[];
}

/** When: at a step of the schedule, or just after something was done for the nth time, by and to whoever did it. */
export type Trigger = { readonly step: number } | { readonly after: Point; readonly nth: number };
export const points = [
  'reply begin',
  'request commit',
  'reply commit',
  'reply effect scene',
  'prepares',
  'SENDS',
  'arrives',
  'hears of request',
  'reports a task',
  'decides',
] as const;
export type Point = (typeof points)[number];

export type PlannedEvent = { readonly at: Trigger } & (
  | { readonly do: 'kill'; readonly process: number; readonly noticed: boolean }
  | { readonly do: 'stop'; readonly process: number; readonly ms: number }
  | { readonly do: 'stall the lease'; readonly process: number; readonly ms: number }
  | { readonly do: 'cut'; readonly process: number; readonly on: 'request' | 'reply'; readonly times: number }
  | { readonly do: 'take the ledger away'; readonly ms: number }
  | { readonly do: 'leap'; readonly ms: number }
  | { readonly do: 'lose the task' | 'refuse the task'; readonly attempt: number }
  | { readonly do: 'lose reports'; readonly attempt: number; readonly times: number }
  | { readonly do: 'revoke'; readonly kind: RevocationKind; readonly value: string }
  | ({ readonly do: 'send'; readonly attempt: number } & PlannedMessage)
);
export const messageKinds = ['approve', 'deny', 'cancel', 'suspend', 'resume', 'say', 'reconcile', 'revise'] as const;
export const ways = ['stored', 'stored and not signalled', 'typed', 'typed with an id', 'update', 'twice'] as const;
export interface PlannedMessage {
  readonly kind: (typeof messageKinds)[number];
  readonly way: (typeof ways)[number];
  /** What is wrong with it. */
  readonly wrong?: 'binding' | 'action' | 'person' | 'again';
}

/** Steps of a schedule within which something goes wrong; most are over soon after. */
const troubleSteps = 450;

export function planOf(seed: number): Plan {
  const plan = plainPlanOf(seed);
  const draw = new Draw(seeded(seed ^ 0xbe51de));
  return draw.chance(besideShare) ? withPeeks(plan, draw) : plan;
}

/** Schedules whose attempts look into boxes around and between what they do. */
const besideShare = 0.4;

function withPeeks(plan: Plan, draw: Draw): Plan {
  let n = 0;
  const peeks = (by: number, max: number): ScriptedAction[] =>
    draw.many(draw.below(max + 1), () => {
      n += 1;
      const amount = draw.chance(0.1) ? { amount: draw.one([amounts.one, amounts.denied]) } : {};
      const args: PeekArgs = { by, n, box: draw.one(boxes), ...amount };
      return { tool: 'peek', args };
    });
  const around = (by: number, step: Script[number]) => [
    ...step.flatMap((action) => [...peeks(by, 3), action]),
    ...peeks(by, 4),
  ];
  return {
    ...plan,
    attempts: plan.attempts.map((script, by) => script.map((step) => around(by, step))),
    beside: {
      quick: draw.chance(0.4),
      max: draw.one([2, 3, 8]),
      looks: draw.some(20, 0.3, () => draw.one(lookBehaviours.slice(1))),
    },
  };
}

function plainPlanOf(seed: number): Plan {
  const draw = new Draw(seeded(seed ^ 0x5eed));
  const traits = (): ToolTraits => ({ quick: draw.chance(0.5), prepares: draw.chance(0.3) });
  const tools = { put: traits(), charge: traits(), wire: traits(), mail: traits() };
  // A few schedules are quiet, so that what goes wrong by itself is seen too.
  const troubles = draw.chance(0.1) ? 0 : 2 + draw.below(9);
  const plan: Plan = {
    seed,
    processes: 1 + draw.below(3),
    quickModel: draw.chance(0.5),
    stepsPerRun: draw.chance(0.3) ? 1 : 100,
    tools,
    attempts: draw.many(1 + draw.below(3), () => scriptOf(draw)),
    requests: draw.some(12, 0.35, () => draw.one(behaviours.slice(1))),
    probes: draw.some(8, 0.3, () => draw.one(['finds nothing', 'hangs'] as const)),
    models: draw.some(12, 0.08, () => draw.one(modelBehaviours.slice(1))),
    events: draw.many(troubles, () => eventOf(draw)),
  };
  if (!draw.chance(longShare)) return plan;
  const looks = (i: number): Script =>
    draw.many(3, () => [{ tool: 'look', args: { n: i * 1_000 + draw.below(1_000) } }]);
  return {
    ...plan,
    attempts: plan.attempts.map((script, i) => [...looks(i), ...script]),
    contextTokens: shortContextTokens,
    summaries: draw.some(6, 0.3, () => draw.one(badSummaries)),
  };
}

/** Schedules whose attempts look around first, at more than their model's context holds. */
const longShare = 0.2;
/** Holds what never leaves a view and three looks, and is full at two. */
const shortContextTokens = 9_000;

function scriptOf(draw: Draw): Script {
  const action = (): ScriptedAction =>
    draw.chance(0.1)
      ? { tool: 'look', args: { n: draw.below(1_000) } }
      : { tool: draw.one(writeNames), args: argsOf(draw) };
  const script = draw.many(1 + draw.below(2), () => draw.many(1 + draw.below(2), action));
  // The same again, as a model does that did not like the answer.
  return draw.chance(0.3) ? [...script, script.at(-1) ?? []] : script;
}

const boxes = ['red', 'blue'] as const;
const shownAmounts = [40, 40, 40, 41, amounts.one, amounts.two, amounts.two, amounts.denied];

function argsOf(draw: Draw): WriteArgs {
  const named = draw.chance(0.85) ? { id: draw.one(['x', 'y']) } : {};
  return { ...named, box: draw.one(boxes), amount: draw.one(shownAmounts) };
}

function eventOf(draw: Draw): PlannedEvent {
  const at: Trigger = draw.chance(0.5)
    ? { step: draw.below(troubleSteps) }
    : { after: draw.one(points), nth: 1 + draw.below(draw.one([5, 25])) };
  const process = draw.below(4);
  const attempt = draw.below(3);
  const kinds: readonly (() => PlannedEvent)[] = [
    () => ({ at, do: 'kill', process, noticed: draw.chance(0.5) }),
    () => ({ at, do: 'stop', process, ms: draw.one([300, 1_500, 4_000, 7_000, 12_000]) }),
    () => ({ at, do: 'stall the lease', process, ms: draw.one([2_000, 5_000, 9_000]) }),
    () => ({ at, do: 'cut', process, on: draw.one(['request', 'reply'] as const), times: draw.one([1, 1, 3]) }),
    () => ({ at, do: 'take the ledger away', ms: draw.one([500, 4_000]) }),
    () => ({ at, do: 'leap', ms: draw.one([1_200, 3_500, 70_000]) }),
    () => ({ at, do: draw.one(['lose the task', 'refuse the task'] as const), attempt }),
    () => ({ at, do: 'lose reports', attempt, times: draw.one([1, 3, 4]) }),
    () => ({ at, do: 'kill', process, noticed: draw.chance(0.5) }),
    () => ({ at, do: 'stop', process, ms: draw.one([1_500, 4_000, 7_000]) }),
    () => ({ at, do: 'revoke', ...revocationOf(draw) }),
    () => ({ at, do: 'send', attempt, ...messageOf(draw) }),
    () => ({ at, do: 'send', attempt, ...messageOf(draw) }),
    () => ({ at, do: 'send', attempt, ...messageOf(draw) }),
    () => ({ at, do: 'send', attempt, kind: 'revise', way: draw.one(ways) }),
  ];
  return draw.one(kinds)();
}

function revocationOf(draw: Draw): { kind: RevocationKind; value: string } {
  return draw.one([
    { kind: 'tool', value: draw.one(writeNames) },
    { kind: 'target', value: draw.one(['box:red', 'box:blue']) },
    { kind: 'principal', value: draw.one(['ana', 'ben', 'starter']) },
    { kind: 'credential', value: 'bank' },
    { kind: 'approval', value: draw.one(['a0/1/s1.a0', 'a1/1/s1.a0', 'a0/1/s1.a1']) },
  ] as const);
}

function messageOf(draw: Draw): PlannedMessage {
  const wrong = draw.chance(0.25) ? { wrong: draw.one(['binding', 'action', 'person', 'again'] as const) } : {};
  return { kind: draw.one(messageKinds), way: draw.one(ways), ...wrong };
}

class Draw {
  constructor(private readonly random: () => number) {}

  chance(odds: number): boolean {
    return this.random() < odds;
  }
  below(n: number): number {
    return Math.floor(this.random() * n);
  }
  one<T>(choices: readonly T[]): T {
    const choice = choices[this.below(choices.length)];
    if (choice === undefined) throw new Error('Nothing to draw from.');
    return choice;
  }
  many<T>(count: number, make: () => T): T[] {
    return Array.from({ length: count }, make);
  }
  /** Some of the numbers from 1 on. */
  some<T>(count: number, odds: number, make: () => T): Record<number, T> {
    const kept: Record<number, T> = {};
    for (let i = 1; i <= count; i += 1) if (this.chance(odds)) kept[i] = make();
    return kept;
  }
}
