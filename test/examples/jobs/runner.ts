import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { tempFolder } from '../../support/temp-folder';

const program = join(__dirname, '../../../examples/jobs/runner.mjs');

/** The job runner of the example as a process of its own; it ends with the test process. */
export interface RunnerProcess {
  readonly url: string;
  readonly child: ChildProcess;
  jobs(): Promise<readonly { readonly id: string; readonly kind: string; readonly state: string }[]>;
  kill(): Promise<void>;
}

export async function startRunner(at: { data?: string; port?: number } = {}): Promise<RunnerProcess> {
  const { data = tempFolder('holdfast-runner-'), port = 0 } = at;
  const args = [program, '--port', String(port), '--data', data, '--until-stdin-ends'];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
  const [url] = /http:\S+/.exec(String(line)) ?? [];
  if (url === undefined) throw new Error('The job runner did not start.');
  return {
    url,
    child,
    async jobs() {
      return (await (await fetch(`${url}/log`)).json()) as Awaited<ReturnType<RunnerProcess['jobs']>>;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
