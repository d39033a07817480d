import type { MemoryLedger } from '../memory/ledger';
import { type AttemptTables, type EffectRecord, effectKey } from '../memory/tables';
import type { Outside } from '../outside/outside';
import type { PeekArgs } from '../outside/tools';
import type { Violations } from './violations';

/**
 * R14.2: what an attempt saw is what it would have seen with its actions one after another, in the proposals' order: of its own
 * writes all that go before the look, and none that comes after it. What others wrote meanwhile is nobody's order.
 */
export function checkReads({ tables }: MemoryLedger, { applied }: Outside, found: Violations): void {
  const took = new Set(applied.map(({ key }) => key));
  for (const own of tables.attempts.values()) {
    const { id, key } = own.head.row.ref;
    const effects = [...tables.effects.values()].filter(
      (row) => row.attempt === key && took.has(effectKey(row.tenant, row)),
    );
    for (const look of looksOf(own))
      for (const row of effects.filter(({ target }) => target === look.target))
        found.expect(
          look.saw.includes(effectKey(row.tenant, row)) === isBefore(row, look),
          'R14.2',
          () =>
            `${id} s${look.step}.a${look.index} saw ${look.saw.join(', ')}, and did ${row.key} in s${row.step}.a${row.index}`,
        );
  }
}

interface Look {
  readonly step: number;
  readonly index: number;
  readonly target: string;
  readonly saw: readonly string[];
}

function looksOf(own: AttemptTables): Look[] {
  return [...own.observations.values()].flatMap(({ step, index, ok, body }) => {
    const action = own.actions.get(`${step}.${index}`);
    if (action?.tool !== 'peek' || !ok || !('text' in action.args)) return [];
    const { box } = JSON.parse(action.args.text) as PeekArgs;
    const saw = /^\[.*\]/.exec(body.text)?.[0] ?? '[]'; // the runtime may have added a word
    return [{ step, index, target: `box:${box}`, saw: JSON.parse(saw) as string[] }];
  });
}

const isBefore = (effect: Pick<EffectRecord, 'step' | 'index'>, look: Look) =>
  effect.step < look.step || (effect.step === look.step && effect.index < look.index);
