/** Ids by position (M6): each can be derived again from where the thing stands, so a repeat makes the same one. */

/** Tenant and task names: safe in a path, a git ref, a workflow id and an idempotency key. */
export const namePattern = /^[a-z0-9][a-z0-9._-]{0,62}$/;

export interface AttemptRef {
  readonly tenant: string;
  /** `<task>/<n>`; unique within the tenant. */
  readonly id: string;
  /** The row's number in the ledger; what child rows hold. */
  readonly key: number;
}

export const attemptId = (task: string, number: number) => `${task}/${number}`;
/** The task of an attempt's id. */
export const taskOf = (attempt: string) => attempt.slice(0, attempt.lastIndexOf('/'));
export const workflowId = (tenant: string, attempt: string) => `attempt/${tenant}/${attempt}`;
export const actionId = (attempt: string, step: number, index: number) => `${attempt}/s${step}.a${index}`;
/** A checkpoint, by the move that wrote it. */
export const checkpointId = (attempt: string, n: number) => `${attempt}/c${n}`;
/** Where an action of this attempt stands; undefined where the text names none of its actions. */
export function placeOf(
  attempt: string,
  action: string,
): { readonly step: number; readonly index: number } | undefined {
  const position = action.startsWith(`${attempt}/`) ? action.slice(attempt.length + 1) : '';
  const [, step, index] = /^s([1-9]\d{0,8})\.a(0|[1-9]\d{0,8})$/.exec(position) ?? [];
  return step === undefined || index === undefined ? undefined : { step: Number(step), index: Number(index) };
}
export const eventId = (attempt: string, move: number, k: number) => `${attempt}/m${move}.${k}`;

/**
 * The branch of the user's repository that a result is put on. Tenants that share a repository have branches of their own;
 * no branch of one is a folder of another's.
 */
export const resultBranch = ({ tenant, id }: Pick<AttemptRef, 'tenant' | 'id'>) =>
  tenant === 'default' ? `holdfast/${id}` : `holdfast-${tenant}/${id}`;

/** Temporal task queue of workflows and of every activity that needs no particular host. */
export const mainTaskQueue = 'holdfast';
/** Of the calls that need the workspaces of one host. */
export const hostTaskQueue = (host: string) => `host/${host}`;
/** Of sealed tests alone (R3.4): a worker that is given only this one may be the only one that has their files. */
export const sealedTaskQueue = 'sealed';
