import { DefaultLogger, Runtime } from '@temporalio/worker';

let installed = false;

/** Keeps Temporal's own log out of a command's output. There is one runtime in a process, so the first call counts. */
export function quietRuntime(): void {
  if (!installed) Runtime.install({ logger: new DefaultLogger('ERROR', () => {}) });
  installed = true;
}
