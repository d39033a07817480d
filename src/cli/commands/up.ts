import { configOfProcess } from '../../config';
import { howToNameModels } from '../../config/how-to-name-models';
import type { CommonOptions } from '../common-options';
import { type ExitCode, exitCodes } from '../exit-codes';
import { startInstallation } from '../installation';
import { onInterrupt } from '../interrupt';
import { note, paint, printJson, say } from '../output';
import { duration } from '../words';

/** Everything on this machine, in the foreground, until Ctrl-C. */
export async function up(options: CommonOptions): Promise<ExitCode> {
  const began = performance.now();
  const config = configOfProcess(options);
  const interrupt = onInterrupt();
  const installation = await startInstallation(config);
  const { temporalAddress, uiUrl } = installation;
  const models = Object.entries(config.models).map(([name, { provider, model }]) => `${name} (${provider} ${model})`);
  const database = new URL(installation.databaseUrl).host;
  if (options.json) {
    printJson({
      pid: process.pid,
      dataDir: config.dataDir,
      temporalAddress,
      uiUrl: uiUrl ?? null,
      database,
      models: Object.keys(config.models),
    });
  } else {
    const row = (label: string, text: string) => say(`${paint('dim', label.padEnd(12))} ${text}`);
    row('Temporal', temporalAddress);
    if (uiUrl !== undefined) row('Temporal UI', uiUrl);
    row('PostgreSQL', database);
    row('Data', config.dataDir);
    row('Models', models.join(', ') || paint('yellow', `none: ${howToNameModels}`));
    say(
      `Ready in ${duration(performance.now() - began)}. In another terminal: ${paint('bold', 'holdfast start TASK.yaml --watch')}. Ctrl-C stops.`,
    );
  }
  await interrupt.asked;
  await installation.stop();
  note('Stopped; everything is kept, and `holdfast up` goes on with it.');
  return exitCodes.done;
}
