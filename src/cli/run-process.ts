import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Config, configOfProcess, environmentOfChild } from '../config';
import { readyMessage } from '../embedded/report-ready';
import { migrate } from '../ledger/migrate';
import { databaseError } from '../requests/unreachable';
import { CliError } from './cli-error';
import type { CommonOptions } from './common-options';
import { type ExitCode, exitCodes } from './exit-codes';
import { onInterrupt } from './interrupt';
import { note, printJson, say } from './output';

/**
 * One process of a distributed installation, in the foreground: its log on standard error, until a signal or its own end. Nobody
 * starts it again; that is for whatever runs it. `ready`: what is said when it works. Rejects with CliError where it fails.
 */
export async function runProcess(
  name: 'worker' | 'gateway',
  options: CommonOptions,
  args: readonly string[],
  ready: (config: Config) => { readonly words: string; readonly document?: object },
): Promise<ExitCode> {
  const config = configOfProcess(options);
  const { databaseUrl, temporal } = config;
  if (databaseUrl === undefined || temporal === undefined)
    throw new CliError(
      exitCodes.usage,
      `${databaseUrl === undefined ? 'DATABASE_URL' : 'TEMPORAL_ADDRESS'} is not set: a ${name} works with servers that run elsewhere.`,
      `Set it (docs/installation.md), or run \`holdfast up\`, which starts servers and a ${name} on this machine.`,
    );
  const interrupt = onInterrupt();
  const applied = await migrate(databaseUrl).catch((error) => {
    throw databaseError(error, databaseUrl);
  });
  if (applied.length > 0) note(`ledger: ${applied.join(', ')} applied`);
  const { address, namespace } = temporal;
  const child = fork(join(__dirname, '..', `${name}.js`), [...args], {
    // A session of its own: Ctrl-C reaches only us, and we stop it in order.
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...environmentOfChild(config, { databaseUrl, temporalAddress: address, namespace }) },
  });
  child.on('message', (message) => {
    if (message !== readyMessage) return;
    const { words, document } = ready(config);
    if (options.json) printJson({ pid: child.pid ?? null, ...document });
    else say(words);
  });
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  void interrupt.asked.then(() => child.kill('SIGTERM'));
  const [code, signal] = await exited;
  if (code === 0) return exitCodes.done;
  throw new CliError(
    exitCodes.failed,
    `The ${name} ended with ${code === null ? `signal ${signal}` : `code ${code}`}.`,
    'Its own words stand above.',
  );
}
