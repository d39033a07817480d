import type { Config } from '../../config';
import { fallbackOrder } from '../../config/models';
import type { Contract } from '../../domain/contract/contract';
import { sealedTests } from '../../domain/contract/sealed';
import { parallelActionsMax } from '../../domain/schedule/parallel-actions-max';
import type { RunSettings, StartSnapshot } from '../../protocol/attempt';

/** Raised by a change of the workflow that an attempt under way must not see before an answer of `record` says so (M3). */
const flowVersion = 2;
/** A history of a hundred steps replays in well under a second; a shorter run spends its time on starting anew. */
const defaultStepsPerRun = 100;

/** The facts that an attempt begins with and keeps. */
export function startSnapshot(
  contract: Contract,
  {
    model,
    searchAttributes,
    ...config
  }: Pick<Config, 'models' | 'workspace'> & { model: string; searchAttributes: boolean },
): StartSnapshot {
  const sealed = sealedTests(contract).map(({ id }) => id);
  return {
    kind: contract.kind,
    hasWorkspace: contract.workspace !== undefined,
    criteria: contract.acceptance.map(({ id }) => id),
    ...(sealed.length > 0 && { sealed }),
    models: fallbackOrder(config.models, model).flatMap((name) => {
      const configured = config.models[name];
      return configured === undefined ? [] : [{ name, quick: configured.quick, timeoutMs: configured.timeoutMs }];
    }),
    ...runSettings(config, searchAttributes),
  };
}

/** The part of it that is the same for every attempt that begins here and now. */
export function runSettings({ workspace }: Pick<Config, 'workspace'>, searchAttributes: boolean): RunSettings {
  const settings = { flow: flowVersion, stepsPerRun: defaultStepsPerRun, parallelActionsMax, searchAttributes };
  return workspace.hosts === 'many' ? { ...settings, hosts: 'many' } : settings;
}
