import type { WorkerVersions } from '../../protocol/worker-versions';
import type { Check, CheckResult } from './check';
import { defineCheck } from './define-check';

/** Attempts that a finding names; how many more there are says enough of the rest. */
const namedMax = 3;

/**
 * Whether somebody works for every version that an attempt is held to, and whether new attempts go to anybody (R12.2): both
 * stand still in silence otherwise.
 */
export function checkVersions(look: () => Promise<WorkerVersions>): Check {
  const fix = 'Temporal does not tell which versions its workers have; where they have none, nothing is wrong.';
  return defineCheck('worker versions', false, fix, async () => judged(await look()));
}

function judged({ polled, held }: WorkerVersions): CheckResult {
  const stranded = held.filter(({ version }) => polled.every((one) => one.version !== version));
  if (stranded.length > 0) return { ok: false, found: stranded.map(inWords).join('; '), fix: wayOut(stranded) };
  const idle = polled.find(({ current }) => current === undefined);
  if (idle) {
    const found = `${idle.version} polls, and no version of its deployment takes new attempts`;
    return { ok: false, found, fix: `temporal worker deployment set-current-version ${options(idle.version)}` };
  }
  if (polled.length === 0) return { ok: true, found: 'workers have none' };
  const current = new Set(polled.map((one) => one.current));
  const count = held.reduce((sum, { attempts }) => sum + attempts.length, 0);
  return {
    ok: true,
    found: `${[...current].join(', ')} takes new attempts; ${count} are held to versions that are polled`,
  };
}

function inWords({ version, attempts }: WorkerVersions['held'][number]): string {
  const more = attempts.length - namedMax;
  const named = attempts.slice(0, namedMax).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return `nobody polls ${version}, to which ${named} ${attempts.length === 1 ? 'is' : 'are'} held`;
}

function wayOut(stranded: WorkerVersions['held']): string {
  const builds = stranded.map(({ version }) => {
    const { deployment, build } = parts(version);
    return `HOLDFAST_DEPLOYMENT=${deployment} HOLDFAST_BUILD_ID=${build}`;
  });
  return `Start a worker of that build (${builds.join('; ')}) and signal \`upgrade\` to them, or move them as docs/operations.md says.`;
}

function options(version: string): string {
  const { deployment, build } = parts(version);
  return `--deployment-name ${deployment} --build-id ${build}`;
}

/** A deployment's name has no dot. */
function parts(version: string) {
  const dot = version.indexOf('.');
  return { deployment: version.slice(0, dot), build: version.slice(dot + 1) };
}
