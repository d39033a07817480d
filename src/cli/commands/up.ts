import { configOfProcess } from '../../config';
import { howToNameModels } from '../../config/how-to-name-models';
import { duration } from '../../requests/words/words';
import type { CommonOptions } from '../common-options';
import { type ExitCode, exitCodes } from '../exit-codes';
import { followLog } from '../follow-log';
import { startInstallation } from '../installation';
import { onInterrupt } from '../interrupt';
import { note, paint, printJson, say } from '../output';
import { temporalCommand } from '../temporal-command';
import { unpricedWords } from '../unpriced';
import { workerTrouble } from '../worker-trouble';

/** Troubles of different attempts differ in words; beyond so many the oldest may be said again. */
const rememberedTroublesMax = 1_000;

/** Everything on this machine, in the foreground, until Ctrl-C. */
export async function up(options: CommonOptions): Promise<ExitCode> {
  const began = performance.now();
  const config = configOfProcess(options);
  const interrupt = onInterrupt();
  const installation = await startInstallation(config);
  const { temporalAddress, uiUrl, gatewayUrl, consoleUrl } = installation;
  const command = await temporalCommand(config, installation);
  const models = Object.entries(config.models).map(([name, { provider, model }]) => `${name} (${provider} ${model})`);
  const database = new URL(installation.databaseUrl).host;
  if (options.json) {
    printJson({
      pid: process.pid,
      dataDir: config.dataDir,
      temporalAddress,
      temporalCommand: command ?? null,
      uiUrl: uiUrl ?? null,
      database,
      gatewayUrl,
      consoleUrl,
      models: Object.keys(config.models),
    });
  } else {
    const row = (label: string, text: string) => say(`${paint('dim', label.padEnd(12))} ${text}`);
    row('Temporal', temporalAddress);
    if (command !== undefined) row('Its CLI', `${command} …`);
    if (uiUrl !== undefined) row('Temporal UI', uiUrl);
    row('PostgreSQL', database);
    row('Gateway', gatewayUrl);
    row('Console', consoleUrl);
    row('Data', config.dataDir);
    row('Models', models.join(', ') || paint('yellow', `none: ${howToNameModels}`));
    const unknown = unpricedWords(config.models);
    if (unknown !== undefined) row('', paint('yellow', unknown));
    say(
      `Ready in ${duration(performance.now() - began)}. In another terminal: ${paint('bold', 'holdfast start TASK.yaml --watch')}. Ctrl-C stops.`,
    );
  }
  const stopped = new AbortController();
  const following = tellTroubles(installation.workerLog, stopped.signal);
  await interrupt.asked;
  stopped.abort();
  await following;
  await installation.stop();
  note('Stopped; everything is kept, and `holdfast up` goes on with it.');
  return exitCodes.done;
}

/** The same words once: a call that is tried again and again says them each time, and the log has every one. */
function tellTroubles(workerLog: string, signal: AbortSignal): Promise<void> {
  const told = new Set<string>();
  return followLog(workerLog, signal, (line) => {
    const trouble = workerTrouble(line);
    if (trouble === undefined || told.has(trouble)) return;
    if (told.size >= rememberedTroublesMax) told.clear();
    told.add(trouble);
    note(`worker: ${trouble} (${workerLog})`);
  });
}
