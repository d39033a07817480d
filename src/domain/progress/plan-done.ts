import { planDone, taskStateSchema } from '../context/task-state';

/** Steps of a plan that are done (R7.2), as its row has it; 0 where it is none. */
export function planDoneOf(body: unknown): number {
  const plan = taskStateSchema.safeParse(body);
  return plan.success ? planDone(plan.data) : 0;
}
