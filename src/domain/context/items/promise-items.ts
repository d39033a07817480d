import type { ProtectedItem } from '../protected-item';
import { planLine, type TaskState } from '../task-state';

/** Steps of the plan that are still to be done. */
export const promiseItems = (taskState: TaskState | undefined): readonly ProtectedItem[] =>
  (taskState?.steps ?? [])
    .filter(({ status }) => status === 'pending' || status === 'doing')
    .map((step) => ({ id: `promise/${step.id}`, kind: 'promise', text: planLine(step) }));
