import { Command } from 'commander';
import { installedVersion } from '../requests/running/installed-version';
import { addAnswers } from './program/answers';
import { addContract } from './program/contract';
import { addEffects } from './program/effects';
import { addMessages } from './program/messages';
import type { Done } from './program/named-command';
import { addPolicy } from './program/policy';
import { addReads } from './program/reads';
import { addServers } from './program/servers';
import { addStart } from './program/start';
import { addTokens } from './program/tokens';

/** By its variables: the file is in docs/configuration.md. */
const modelHelp = [
  'OPENAI_API_KEY or ANTHROPIC_API_KEY, with HOLDFAST_MODEL for another than the usual model; or',
  'HOLDFAST_MODEL and HOLDFAST_MODEL_BASE_URL for any server that speaks the OpenAI protocol,',
  'with HOLDFAST_MODEL_API_KEY where it asks for a key; or holdfast.yaml (docs/configuration.md).',
].join('\n  ');

/**
 * The commands by name, with their options and an example each. What a command does is loaded when it is run, so that
 * `--help` and a wrong option cost nothing but this file and those of its folder.
 */
export function createProgram(done: Done): Command {
  const program = new Command('holdfast')
    .description('Runs agents whose work survives crashes, and that never act twice.')
    .version(installedVersion())
    .configureHelp({ showGlobalOptions: true })
    .addHelpText(
      'after',
      '\nFirst steps:\n  $ holdfast demo\n  $ holdfast up                          in one terminal\n  $ holdfast start TASK.yaml --watch     in another' +
        `\n\nA model:\n  ${modelHelp}`,
    );
  addServers(program, done);
  addStart(program, done);
  addMessages(program, done);
  addAnswers(program, done);
  addEffects(program, done);
  addReads(program, done);
  addContract(program, done);
  addPolicy(program, done);
  addTokens(program, done);
  return program;
}
