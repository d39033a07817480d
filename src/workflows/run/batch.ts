import type { Footprint } from '../../domain/schedule/footprint';
import { groups } from '../../domain/schedule/groups';
import type { Batch } from '../../protocol/attempt';
import type { PlannedAction } from '../../protocol/calls';
import type { Run } from './run';

/** What is left of a proposal, and what of it goes next; from answers and the start alone (M3). */

/** Attempts from this flow on run reads side by side; an earlier one has its calls one after another to its end. */
const groupsSinceFlow = 2;

/** Actions that run next, side by side where there are several (R14.2). */
export function nextGroup(run: Run, { actions, tainted }: Batch): readonly PlannedAction[] {
  const max = run.flow >= groupsSinceFlow ? (run.start.parallelActionsMax ?? 1) : 1;
  const [first] = groups(
    actions.map((action) => footprintOf(action, tainted)),
    max,
  );
  return actions.slice(0, first?.length ?? 0);
}

function footprintOf({ reads }: PlannedAction, tainted: Batch['tainted']): Footprint | undefined {
  if (reads === undefined) return undefined;
  return { reads: [''], writes: [], ...(reads === 'untrusted' && !tainted && { taints: true }) };
}

/** Tries that an action has had before it is asked for again. */
export function triesOf({ actions, tries = 0, triesBeside }: Batch, { index }: PlannedAction): number {
  return actions[0]?.index === index ? tries : (triesBeside?.[index] ?? 0);
}

/** What became of an action that was asked for. */
export interface Asked {
  readonly action: PlannedAction;
  /** Tries that it has had by now; undefined where it is over, and the model can see how it went. */
  readonly tries: number | undefined;
  /** It has shown the attempt what its tool said. */
  readonly shown: boolean;
}

/** The batch without what is over (R14.3). Looks at an effect go on counting while their action is the first. */
export function after(batch: Batch, asked: readonly Asked[]): Batch {
  const byIndex = new Map(asked.map((one) => [one.action.index, one]));
  const triesAfter = (action: PlannedAction) => byIndex.get(action.index)?.tries ?? triesOf(batch, action);
  const isOver = ({ index }: PlannedAction) => byIndex.has(index) && byIndex.get(index)?.tries === undefined;
  const actions = batch.actions.filter((action) => !isOver(action));
  const [first, ...others] = actions;
  const tries = first ? triesAfter(first) : 0;
  const round = first?.index === batch.actions[0]?.index ? batch.round : undefined;
  const beside = others.filter((action) => triesAfter(action) > 0).map((action) => [action.index, triesAfter(action)]);
  const tainted = batch.tainted ?? asked.some(({ action, shown }) => shown && action.reads === 'untrusted');
  return {
    actions,
    stop: batch.stop,
    ...(first && (byIndex.has(first.index) || tries > 0) && { tries }),
    ...(round !== undefined && { round }),
    ...(beside.length > 0 && { triesBeside: Object.fromEntries(beside) }),
    ...(tainted && { tainted }),
  };
}
