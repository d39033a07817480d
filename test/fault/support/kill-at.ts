import type { AttemptRef } from '../../../src/protocol/ids';
import type { FaultWorld } from './fault-world';
import type { Point } from './points';

/** Begins an attempt of the task, and kills the worker that gets to the point in it. No worker is started after. */
export async function killAt(
  { fleet }: FaultWorld,
  point: Point,
  task: string,
  begin: () => Promise<AttemptRef>,
): Promise<AttemptRef> {
  const struck = fleet.order({ point, task, blow: 'kill' });
  const ref = await begin();
  await (await struck).kill();
  return ref;
}
