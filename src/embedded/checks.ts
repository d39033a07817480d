import type { Check } from './checks/check';
import { checkDataFolder } from './checks/check-data-folder';
import { checkDatabase } from './checks/check-database';
import { checkGit, checkNode, checkRipgrep, checkSandbox, checkTemporalCli } from './checks/check-programs';
import { checksOfTemporal, plainTemporalProbe, type TemporalProbe } from './checks/check-temporal';
import { checkWorker } from './checks/check-worker';
import type { ProgramSources } from './programs/find-program';

export type { Check, CheckResult } from './checks/check';
export type { TemporalProbe } from './checks/check-temporal';

/** What `doctor` looks at, in the order in which one thing builds on another. */
export function checks(place: {
  readonly dataDir: string;
  readonly programs: ProgramSources;
  /** Given, or of the stack that runs; undefined where there is none to ask. */
  readonly databaseUrl?: string | undefined;
  readonly temporal?:
    | { readonly address: string; readonly namespace: string; readonly probe?: TemporalProbe }
    | undefined;
}): readonly Check[] {
  const { dataDir, programs, databaseUrl, temporal } = place;
  return [
    checkNode(),
    checkGit(),
    checkSandbox(),
    checkRipgrep(),
    checkDataFolder(dataDir),
    checkTemporalCli(programs),
    ...(temporal === undefined
      ? []
      : checksOfTemporal(temporal.address, temporal.probe ?? plainTemporalProbe(temporal.address, temporal.namespace))),
    ...(databaseUrl === undefined ? [] : [checkDatabase(databaseUrl), checkWorker(databaseUrl)]),
  ];
}
