import { type Config, configOfProcess } from '../../config';
import { type Check, type CheckResult, checks } from '../../embedded/checks';
import type { CommonOptions } from '../common-options';
import { checksOfConfig } from '../config-checks';
import { type ExitCode, exitCodes } from '../exit-codes';
import { paint, printJson, say } from '../output';
import { knownServers } from '../servers';
import { temporalProbe } from '../temporal-probe';

interface Finding extends CheckResult {
  readonly name: string;
  readonly required: boolean;
}

/** Checks every dependency and setting. Ends with 1 where one fails without which nothing runs. */
export async function doctor(options: CommonOptions): Promise<ExitCode> {
  const config = configOfProcess(options);
  const findings: Finding[] = [];
  for (const check of await allChecks(config)) {
    const { name, required } = check;
    const finding = { name, required, ...(await check.run()) };
    findings.push(finding);
    if (!options.json) for (const line of lines(finding)) say(line);
  }
  const ok = findings.every((finding) => finding.ok || !finding.required);
  if (options.json) printJson({ ok, checks: findings });
  return ok ? exitCodes.done : exitCodes.failed;
}

async function allChecks(config: Config): Promise<readonly Check[]> {
  const { databaseUrl, temporal } = await knownServers(config);
  return [
    ...checksOfConfig(config),
    upCheck(config, temporal !== undefined && databaseUrl !== undefined),
    ...checks({
      dataDir: config.dataDir,
      programs: config.embedded,
      databaseUrl,
      temporal: temporal && { ...temporal, probe: temporalProbe(temporal) },
    }),
  ];
}

/** Nothing is wrong where it is not running; then its servers are not among the checks. */
function upCheck({ dataDir }: Config, running: boolean): Check {
  const result: CheckResult = running
    ? { ok: true, found: `servers are known for ${dataDir}` }
    : {
        ok: false,
        found: `not running on ${dataDir}`,
        fix: 'Its servers are checked once `holdfast up` runs in another terminal.',
      };
  return { name: 'holdfast up', required: false, run: async () => result };
}

function lines({ name, required, ok, found, fix }: Finding): readonly string[] {
  const bad = required ? paint('red', '✗') : paint('yellow', '!');
  const first = `${ok ? paint('green', '✓') : bad} ${name.padEnd(18)} ${found}`;
  return fix === undefined ? [first] : [first, `  ${' '.repeat(18)} ${fix}`];
}
