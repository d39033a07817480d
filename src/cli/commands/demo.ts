import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { type Config, configOfProcess } from '../../config';
import { attemptDetails } from '../../ledger/queries/attempt-details';
import { type ScriptedModel, startScriptedModel } from '../../models/scripted/scripted-model';
import type { AttemptRef } from '../../protocol/ids';
import { begin } from '../begin';
import type { CommonOptions } from '../common-options';
import { conclude } from '../conclude';
import { type DemoFolder, demoFolder } from '../demo-folder';
import { type ExitCode, exitCodes } from '../exit-codes';
import { type Installation, startInstallation } from '../installation';
import { onInterrupt } from '../interrupt';
import { paint, say } from '../output';
import { type Session, withSession } from '../session';
import { readTaskFile } from '../task-file';
import { toolNames } from '../tool-names';

/** Starts everything, lets an agent repair a bug in a real git repository under its tests, and says what was done. */
export async function demo(options: CommonOptions): Promise<ExitCode> {
  const asked = configOfProcess(options);
  const folder = await demoFolder(asked.dataDir);
  const scripted =
    Object.keys(asked.models).length === 0
      ? await startScriptedModel({ transcriptPath: folder.transcript })
      : undefined;
  if (!options.json) say(firstLine(asked, scripted));
  const config = scripted === undefined ? asked : scriptedConfig(asked, scripted, options);
  const interrupt = onInterrupt();
  const installation = await startInstallation(config);
  try {
    const sameConfig = {
      ...options,
      dataDir: config.dataDir,
      ...(config.file !== undefined && { config: config.file }),
    };
    return await Promise.race([
      repair(sameConfig, config, folder, installation),
      interrupt.asked.then(() => exitCodes.interrupted),
    ]);
  } finally {
    await installation.stop();
    await scripted?.stop();
  }
}

/** Ends with the attempt; a pause ends it too, since nobody is there to answer. */
function repair(
  options: CommonOptions,
  config: Config,
  folder: DemoFolder,
  installation: Installation,
): Promise<ExitCode> {
  const file = readTaskFile(folder.task, { tools: toolNames(), models: Object.keys(config.models) });
  return withSession(options, async (session) => {
    const { attempt, workflowId } = await begin(session, file, { again: true });
    if (!options.json) {
      say(`Task: ${file.contract.goal}`);
      if (installation.uiUrl !== undefined) say(`Temporal UI, while this runs: ${installation.uiUrl}`);
    }
    const code = await conclude(session, attempt.ref, { ...options, watch: true, wait: true, extra: { workflowId } });
    if (!options.json) await tellResult(session, attempt.ref, folder);
    return code;
  });
}

async function tellResult({ pool }: Session, ref: AttemptRef, { repo }: DemoFolder): Promise<void> {
  const { workspace } = await attemptDetails(pool, ref);
  say();
  if (workspace?.branch) {
    say('The repair is a branch of the repository; the checkout is as it was:');
    say(`  ${paint('bold', `git -C ${repo} show ${workspace.branch}`)}`);
  }
  say(
    `Everything is kept: \`holdfast up\` and then \`holdfast show ${ref.id}\`. Run the demo again, and it is attempt ${nextNumber(ref)}.`,
  );
}

const nextNumber = ({ id }: AttemptRef) => Number(id.slice(id.lastIndexOf('/') + 1)) + 1;

function firstLine(config: Config, scripted: ScriptedModel | undefined): string {
  if (scripted !== undefined) {
    return 'No model is configured, so a scripted model answers: fixed answers, over the same wire as a real one.';
  }
  const model = config.models['default'];
  return `The model is ${model === undefined ? 'not named "default"' : `${model.provider} ${model.model}`}.`;
}

/** The configuration that a user would write for a model of their own. */
function scriptedConfig(asked: Config, scripted: ScriptedModel, options: CommonOptions): Config {
  const file = join(asked.dataDir, 'demo', 'holdfast.yaml');
  const model = {
    provider: 'openai-compatible',
    model: 'scripted',
    baseUrl: scripted.url,
    quick: true,
    price: { inputPerMTok: 1, outputPerMTok: 4 },
    headers: { 'X-Step': '{attempt}/{step}' },
  };
  writeFileSync(file, stringify({ models: { default: model } }));
  return configOfProcess({ ...options, config: file, dataDir: asked.dataDir });
}
