import { type Config, configOfProcess } from '../../config';
import type { CommonOptions } from '../common-options';
import { demoModel } from '../demo/demo-model';
import { type DemoParts, isScripted, startDemoParts } from '../demo/demo-parts';
import { refundTask } from '../demo/demo-refund';
import { repairTask } from '../demo/demo-repair';
import { type ExitCode, exitCodes } from '../exit-codes';
import { addProcesses, type Installation, startServers } from '../installation';
import { onInterrupt } from '../interrupt';
import { printJson, say } from '../output';
import { withSession } from '../session';

export interface DemoOptions extends CommonOptions {
  /** Approves what the policy asks a person for. */
  readonly yes?: boolean;
}

/**
 * Starts everything, lets an agent repair a bug in a real git repository under its tests and another one refund an order
 * in a real shop, with an approval, and says what was done. Ends with the first exit code that is not 0.
 */
export async function demo(options: DemoOptions): Promise<ExitCode> {
  const asked = configOfProcess(options);
  if (!options.json) say(firstLine(asked));
  const interrupt = onInterrupt();
  const ended = new AbortController();
  const stops: (() => Promise<void>)[] = [];
  try {
    const servers = await startServers(asked);
    stops.push(() => servers.stop());
    const parts = await startDemoParts(asked, options, stops);
    const installation = await addProcesses(parts.config, servers);
    stops.push(() => installation.stop());
    const both = runBoth(parts, options, installation, ended.signal);
    both.catch(() => {}); // after an interrupt nobody listens, and what it works with is being stopped
    return await Promise.race([both, interrupt.asked.then(() => exitCodes.interrupted)]);
  } finally {
    ended.abort();
    for (const stop of stops.reverse()) await stop();
  }
}

function runBoth(
  parts: DemoParts,
  options: DemoOptions,
  { uiUrl, consoleUrl }: Installation,
  ended: AbortSignal,
): Promise<ExitCode> {
  const { config } = parts;
  const same = { ...options, dataDir: config.dataDir, ...(config.file !== undefined && { config: config.file }) };
  return withSession(same, async (session) => {
    if (!options.json) {
      say(`The console, while this runs: ${consoleUrl}`);
      if (uiUrl !== undefined) say(`Temporal UI: ${uiUrl}`);
    }
    const repair = await repairTask(session, parts, options);
    const refund = await refundTask(session, parts, { ...options, ended });
    if (options.json) printJson({ repair: repair.document, refund: { ...refund.document, shopLog: refund.shopLog } });
    else
      say(
        '\nEverything is kept: `holdfast up`, and then `holdfast show @last`. Another demo begins the next attempts.',
      );
    return repair.code === exitCodes.done ? refund.code : repair.code;
  });
}

function firstLine(config: Config): string {
  if (isScripted(config)) {
    return 'No model is configured, so a scripted model answers: fixed answers, over the same wire as a real one.';
  }
  const { provider, model } = config.models[demoModel(config)] ?? {};
  return `The model is ${provider} ${model}.`;
}
