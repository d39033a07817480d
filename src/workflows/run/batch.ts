import type { Footprint } from '../../domain/schedule/footprint';
import { groups } from '../../domain/schedule/groups';
import type { Batch, PendingJob } from '../../protocol/attempt';
import type { PlannedAction } from '../../protocol/calls';
import type { Run } from './run';

/** What is left of a proposal, and what of it goes next; from answers and the start alone (M3). */

/** Attempts from this flow on run reads side by side; an earlier one has its calls one after another to its end. */
const groupsSinceFlow = 2;

/** Actions that run next, side by side where there are several (R14.2); none while the batch waits for jobs. */
export function nextGroup(run: Run, { actions, pending, tainted }: Batch): readonly PlannedAction[] {
  // While jobs run, only what is submitted like them is begun: anything else may stand on what they come to.
  if (pending) return actions.filter(({ index, job }) => job && !pending[index]).slice(0, 1);
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
  /** Its job runs (R15.2). */
  readonly pending?: PendingJob;
}

/** The batch without what is over (R14.3). Looks at an effect go on counting while their action is the first. */
export function after(batch: Batch, asked: readonly Asked[]): Batch {
  const byIndex = new Map(asked.map((one) => [one.action.index, one]));
  const triesAfter = (action: PlannedAction) => byIndex.get(action.index)?.tries ?? triesOf(batch, action);
  const isOver = ({ index }: PlannedAction) => byIndex.has(index) && byIndex.get(index)?.tries === undefined;
  const pending = pendingAfter(batch, byIndex);
  const left = batch.actions.filter((action) => !isOver(action));
  const actions = inOrder(left, pending);
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
    ...(Object.keys(pending).length > 0 && { pending }),
    ...(beside.length > 0 && { triesBeside: Object.fromEntries(beside) }),
    ...(tainted && { tainted }),
  };
}

function pendingAfter({ pending = {} }: Batch, asked: ReadonlyMap<number, Asked>): Record<number, PendingJob> {
  const known = Object.entries(pending).filter(([index]) => !asked.has(Number(index)));
  const found = [...asked].flatMap(([index, { pending: job }]) => (job ? [[index, job] as const] : []));
  return Object.fromEntries([...known, ...found]);
}

/** The batch once the jobs of these actions are to be looked at. */
export function readied(batch: Batch, ready: readonly number[]): Batch {
  const { pending, ...rest } = batch;
  if (!pending) return batch;
  const waiting = Object.fromEntries(Object.entries(pending).filter(([index]) => !ready.includes(Number(index))));
  return after({ ...rest, pending: waiting }, []);
}

/** The job that is looked at next; undefined where none runs. */
export function nextJob({ pending = {} }: Batch): PendingJob | undefined {
  return Object.values(pending).sort((a, b) => a.lookAt - b.lookAt)[0];
}

/** In the proposal's order; what is waited for elsewhere comes last, so that the first is what the attempt itself is at. */
function inOrder(actions: readonly PlannedAction[], pending: Readonly<Record<number, PendingJob>>): PlannedAction[] {
  const rank = ({ index }: PlannedAction) => (pending[index] ? 1 : 0);
  return [...actions].sort((a, b) => rank(a) - rank(b) || a.index - b.index);
}
