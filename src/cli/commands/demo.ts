import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { type Config, configOfProcess } from '../../config';
import { attemptDetails } from '../../ledger/queries/attempt-details';
import { type ScriptedModel, startScriptedModel } from '../../models/scripted/scripted-model';
import type { AttemptRef } from '../../protocol/ids';
import type { CommonOptions } from '../common-options';
import { conclude } from '../conclude';
import { demoAttempt } from '../demo-attempt';
import { type DemoFolder, demoFolder } from '../demo-folder';
import { type ExitCode, exitCodes } from '../exit-codes';
import { type Installation, startInstallation } from '../installation';
import { onInterrupt } from '../interrupt';
import { note, paint, say } from '../output';
import { type Session, withSession } from '../session';
import { readTaskFile, type TaskFile } from '../task-file';
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
  // Read first: what is wrong with it is told before anything is started.
  const models = Object.keys(config.models);
  const file = readTaskFile(folder.task, { tools: toolNames(), models, model: modelOf(config) });
  const interrupt = onInterrupt();
  const installation = await startInstallation(config);
  try {
    const sameConfig = {
      ...options,
      dataDir: config.dataDir,
      ...(config.file !== undefined && { config: config.file }),
    };
    return await Promise.race([
      repair(sameConfig, file, folder, installation),
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
  file: TaskFile,
  folder: DemoFolder,
  installation: Installation,
): Promise<ExitCode> {
  return withSession(options, async (session) => {
    const { attempt, workflowId, kind, replaced } = await demoAttempt(session, file, note);
    const { ref } = attempt;
    if (!options.json) {
      if (kind === 'running') say(`Going on with ${ref.id}, which an earlier demo left in the middle.`);
      say(`Task: ${file.contract.goal}`);
      if (installation.uiUrl !== undefined) say(`Temporal UI, while this runs: ${installation.uiUrl}`);
    }
    const extra = { workflowId, outcome: kind, replaced };
    const code = await conclude(session, ref, { ...options, watch: true, wait: true, extra });
    if (!options.json) await tellResult(session, ref, folder);
    return code;
  });
}

async function tellResult({ pool }: Session, ref: AttemptRef, { repo }: DemoFolder): Promise<void> {
  const { workspace, endedAt } = await attemptDetails(pool, ref);
  say();
  if (workspace?.branch) {
    say('The repair is a branch of the repository; the checkout is as it was:');
    say(`  ${paint('bold', `git -C ${repo} show ${workspace.branch}`)}`);
  }
  const again = endedAt === null ? `cancels ${ref.id} and begins the next attempt` : 'begins the next attempt';
  say(`Everything is kept: \`holdfast up\` and then \`holdfast show ${ref.id}\`. Another demo ${again}.`);
}

/** Named apart from a real one, so that an attempt of one is not gone on with by the other. */
const scriptedName = 'scripted';

function modelOf({ models }: Config): string {
  const [first = 'default'] = Object.keys(models);
  return models['default'] === undefined ? first : 'default';
}

function firstLine(config: Config, scripted: ScriptedModel | undefined): string {
  if (scripted !== undefined) {
    return 'No model is configured, so a scripted model answers: fixed answers, over the same wire as a real one.';
  }
  const model = config.models[modelOf(config)];
  return `The model is ${model?.provider} ${model?.model}.`;
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
  writeFileSync(file, stringify({ models: { [scriptedName]: model } }));
  return configOfProcess({ ...options, config: file, dataDir: asked.dataDir });
}
