import { ArtifactError } from '../activities/ports';
import { classifyErrno } from '../domain/failure/errno';
import { errnoOf } from '../domain/failure/errno-of';
import type { Failure } from '../domain/failure/failure';

/** What a failed file operation of the store is to its caller; anything without an errno is a bug and passes through. */
export function storeFailure(error: unknown, what: 'written' | 'read'): unknown {
  const errno = errnoOf(error);
  if (errno === undefined) return error;
  const failure = failureOf(errno);
  const message = `The object store could not be ${what} (${errno}).`;
  return new ArtifactError(failure, message, whatToDo(failure), errno);
}

/** A refusal by the store's own files is not the model's to answer, unlike one by a file of its workspace. */
function failureOf(errno: string): Failure {
  const failure = classifyErrno(errno);
  return failure.code === 'DISK_FULL' || failure.class === 'tool_transient'
    ? failure
    : { class: 'unrecoverable', code: 'ARTIFACT_STORE_FAILED' };
}

function whatToDo(failure: Failure): string {
  switch (failure.code) {
    case 'DISK_FULL':
      return 'Make room on the disk that holds the object store; then `holdfast say ATTEMPT "go on"` lets it go on.';
    case 'BUSY':
      return 'Try again.';
    default:
      return 'Check that the worker may write in the folder of the object store.';
  }
}
