import type { CommonOptions } from '../common-options';
import type { ExitCode } from '../exit-codes';
import { runProcess } from '../run-process';

export interface WorkerCommandOptions extends CommonOptions {
  readonly queue?: string;
}

/** One worker of a distributed installation. */
export function worker({ queue, ...options }: WorkerCommandOptions): Promise<ExitCode> {
  const args = queue === undefined ? [] : ['--queue', queue];
  return runProcess('worker', options, args, () => ({ words: 'The worker is ready. Ctrl-C stops it.' }));
}
