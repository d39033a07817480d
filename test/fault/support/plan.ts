import { type EffectClass, effectClasses } from '../../../src/domain/effect/effect';
import { seeded } from '../../support/seeded';
import { type Blow, type Point, points } from './points';
import type { ShopToolKind } from './shop-tools';

/** One blow of the kill test. */
export interface Round {
  /** From 1. */
  readonly number: number;
  readonly point: Point | 'at_random';
  readonly blow: Blow;
  readonly tool: ShopToolKind;
  /** Armed at the shop for the operation's first request. */
  readonly fault: ShopFault | undefined;
  /** At random: from the start of the attempts to the blow, ms. */
  readonly delayMs: number;
  /** What the bystanders of the blow do. */
  readonly bystanders: readonly ShopToolKind[];
}
export interface ShopFault {
  readonly fault: string;
  readonly ms?: number;
}

/** As often as two of the named points. */
const slots: readonly Round['point'][] = [...points, 'at_random', 'at_random'];
/** Part of the blows that stop instead of kill: each keeps a worker busy for seconds. */
const stopShare = 0.25;
/** Part of the operations that the shop makes trouble with, beside the blow. */
const faultShare = 0.5;
/** An attempt takes about as long, ms. */
const randomWithinMs = 900;
/** Shorter than a tool's limit, and longer, ms. */
const slowMs = [600, 3_000] as const;
const afterCommit: readonly ShopFault[] = [
  { fault: 'commit_then_drop' },
  { fault: 'commit_then_500' },
  ...slowMs.map((ms) => ({ fault: 'commit_then_hang', ms })),
];
const anyFault: readonly ShopFault[] = [
  ...afterCommit,
  { fault: 'drop_before_commit' },
  { fault: 'refuse' },
  ...slowMs.map((ms) => ({ fault: 'slow_before_commit', ms })),
];

/**
 * Of the first cycle: the second one then breaks off an unsafe write after its commit, which nothing but a person's word may
 * follow, so that a short run has that too.
 */
const firstClass = 1;

/** Points and classes in turn, so that each pair comes equally often; the rest follows from the seed. */
export function planRounds(kills: number, seed: number): Round[] {
  const random = seeded(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  return Array.from({ length: kills }, (_, at): Round => {
    const cycle = Math.floor(at / slots.length);
    const point = slots[at % slots.length] as Round['point'];
    const effect = effectClasses[(firstClass + at + cycle) % effectClasses.length] as EffectClass;
    const tool: ShopToolKind = {
      effect,
      lane: effect === 'unsafe' ? 'regular' : pick(['local', 'regular']),
      shape: point === 'claimed' ? 'whole' : pick(['bare', 'whole']),
    };
    const bystander = (): ShopToolKind => ({
      effect: pick(['idempotent', 'deduplicated', 'probed']),
      lane: pick(['local', 'regular']),
      shape: pick(['bare', 'whole']),
    });
    return {
      number: at + 1,
      point,
      tool,
      blow: random() < stopShare ? 'stop' : 'kill',
      fault: faultFor(point, random, pick),
      delayMs: random() * randomWithinMs,
      bystanders: [bystander(), bystander()],
    };
  });
}

function faultFor(
  point: Round['point'],
  random: () => number,
  pick: (from: readonly ShopFault[]) => ShopFault,
): ShopFault | undefined {
  if (point === 'in_burst' || random() >= faultShare) return undefined;
  // What is broken off after the commit is preceded by one.
  return pick(point === 'answered' ? afterCommit : anyFault);
}
