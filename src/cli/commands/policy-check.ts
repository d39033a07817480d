import { resolve } from 'node:path';
import { type Config, configOfProcess } from '../../config';
import { checkPolicy } from '../../policy/check-policy';
import { createPolicy } from '../../policy/create-policy';
import { plural } from '../../requests/words/words';
import type { CommonOptions } from '../common-options';
import { type ExitCode, exitCodes } from '../exit-codes';
import { paint, printJson, say } from '../output';
import { problemLine, shortPath } from '../policy-problems';
import { policySummary, relaxedWords } from '../policy-summary';
import { withTools } from '../with-tools';

/** Reads policy files as a worker would, against every tool of the installation; ends with 2 where one is wrong. */
export function policyCheck(paths: readonly string[], options: CommonOptions): Promise<ExitCode> {
  const config = withFiles(configOfProcess(options), paths);
  const { files, principals } = config.policy;
  return withTools(config, async (tools) => {
    const problems = checkPolicy(files, tools, principals);
    const errors = problems.filter(({ severity }) => severity === 'error').length;
    const policy = errors > 0 ? undefined : createPolicy({ ...config.policy, tools });
    if (options.json) {
      printJson({
        ok: errors === 0,
        files: files ?? [],
        rules: policy?.rules.map(({ id }) => id) ?? [],
        version: policy?.version ?? null,
        singleUser: config.policy.singleUser,
        problems,
      });
      return errors === 0 ? exitCodes.done : exitCodes.usage;
    }
    for (const problem of problems) say(problemLine(problem));
    const named = files?.map(shortPath).join(', ') ?? 'the policy that Holdfast ships';
    if (policy === undefined)
      say(`${paint('red', '✗')} ${named}: ${plural(errors, 'error')}; no worker starts with it`);
    else
      for (const line of [`${paint('green', '✓')} ${named}: ${policySummary(policy)}`, relaxedWords(policy)])
        if (line) say(line);
    return errors === 0 ? exitCodes.done : exitCodes.usage;
  });
}

/** With files of the command line in the place of those that configuration names. */
function withFiles(config: Config, paths: readonly string[]): Config {
  if (paths.length === 0) return config;
  const files = paths.map((path) => resolve(config.calledFrom, path));
  return { ...config, policy: { ...config.policy, files } };
}
