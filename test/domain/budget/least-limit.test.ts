import fc from 'fast-check';
import { defaultLimits, emptyAccount, type Limits } from '../../../src/domain/budget/account';
import { leastLimit } from '../../../src/domain/budget/least-limit';
import { limitTable } from '../../../src/domain/budget/limit-table';
import { raiseLimits } from '../../../src/domain/budget/raise-limits';
import {
  type Charged,
  chargeRepair,
  chargeRuntime,
  chargeToolCall,
  chargeTurn,
  reserve,
} from '../../../src/domain/budget/reserve';

/** Each way that a call can be refused, by the limit that refuses it: `at` of it used, and `ask` asked for. */
type Refuses = (limits: Limits, at: number, ask: number) => Charged;
const refuses: Readonly<Record<keyof Limits, Refuses>> = {
  maxTurns: (limits, at) => chargeTurn({ ...emptyAccount, turns: at }, limits),
  maxToolCalls: (limits, at) => chargeToolCall({ ...emptyAccount, toolCalls: at }, limits, 'a'),
  maxSameToolErrors: (limits, at) => chargeToolCall({ ...emptyAccount, toolErrors: { a: at } }, limits, 'a'),
  maxRepairs: (limits, at) => chargeRepair({ ...emptyAccount, repairs: at }, limits),
  maxRuntimeMs: (limits, at) => chargeRuntime(emptyAccount, limits, at),
  maxTokens: (limits, at, ask) => reserve({ ...emptyAccount, tokens: at }, limits, { tokens: ask, costMicroUsd: 0 }),
  maxCostMicroUsd: (limits, at, ask) =>
    reserve({ ...emptyAccount, costMicroUsd: at }, limits, { tokens: 0, costMicroUsd: ask }),
};

test.each(Object.keys(refuses) as (keyof Limits)[])(
  'R6.3 %s raised to the least that a refusal names lets the same call go on, and one step less does not',
  (limit) => {
    const { written, units } = limitTable[limit];
    fc.assert(
      fc.property(fc.nat(3_000_000), fc.nat(3_000_000), fc.integer({ min: 1, max: 3_000_000 }), (max, at, ask) => {
        const limits = { ...defaultLimits, [limit]: max };
        const refused = refuses[limit](limits, at, ask);
        if (refused.ok) return;
        const least = leastLimit(refused);
        const raised = raiseLimits(limits, emptyAccount, { [written]: least });
        expect(raised).toMatchObject({ ok: true, raised: { [limit]: Math.round(least * units) } });
        expect(raised.ok && refuses[limit](raised.limits, at, ask).ok).toBe(true);
        // Run time is named with a second to spare, in whole seconds.
        const spare = limit === 'maxRuntimeMs' ? 2_000 : 1;
        const below = { ...limits, [limit]: Math.round(least * units) - spare };
        expect(refuses[limit](below, at, ask).ok).toBe(false);
      }),
    );
  },
);
