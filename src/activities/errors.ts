/** This execution of a number ended, or was taken over, without an answer; the number is called again (M2). */
export class ExecutionLostError extends Error {
  override readonly name = 'ExecutionLostError';
}

/** The same number came with another kind or other arguments (M1): a bug that fails the workflow task. */
export class MoveMismatchError extends Error {
  override readonly name = 'MoveMismatchError';
}

/** Another host has the attempt's worktree, and it lives: the call belongs there. */
export class ElsewhereError extends Error {
  override readonly name = 'ElsewhereError';
  constructor(readonly host: string) {
    super(`The worktree is on the host ${host}.`);
  }
}
