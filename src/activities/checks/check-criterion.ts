import type { MachineCriterion } from '../../domain/contract/contract';
import type { Hide } from '../../domain/secrets/hide-secrets';
import { ArtifactError, DatabaseError, WorkspaceError } from '../ports';
import { bringHere } from '../workspace-bundles';
import { checkAuditEvent } from './audit-event';
import type { Checked } from './checked';
import { checkCitations } from './citations';
import { checkCommand } from './command';
import { checkDiff } from './diff';
import { checkExternal } from './external';
import { checkQuery } from './query';
import type { CheckScene } from './verifier';

/** Runs one check on the candidate. Rejects with the signal's reason, and where a verifier has a bug. */
export async function checkCriterion(scene: CheckScene, criterion: MachineCriterion): Promise<Checked> {
  try {
    if (readsWorkspace.has(criterion.check)) await bringHere(scene.deps, scene.attempt, scene.signal);
    return withoutSecrets(await verify(scene, criterion), scene.deps.hide);
  } catch (error) {
    const couldNotRun =
      error instanceof WorkspaceError || error instanceof ArtifactError || error instanceof DatabaseError;
    if (scene.signal.aborted || !couldNotRun) throw error;
    return { kind: 'failed', failure: error.failure };
  }
}

/** Its output is kept without them already. */
function withoutSecrets(checked: Checked, hide: Hide | undefined): Checked {
  if (checked.kind !== 'checked' || hide === undefined || checked.evidence.detail === undefined) return checked;
  return { ...checked, evidence: { ...checked.evidence, detail: hide(checked.evidence.detail) } };
}

const readsWorkspace: ReadonlySet<MachineCriterion['check']> = new Set(['command', 'diff', 'citations']);

function verify(scene: CheckScene, criterion: MachineCriterion): Promise<Checked> {
  switch (criterion.check) {
    case 'command':
      return checkCommand(scene, criterion);
    case 'diff':
      return checkDiff(scene, criterion);
    case 'external':
      return checkExternal(scene, criterion);
    case 'query':
      return checkQuery(scene, criterion);
    case 'citations':
      return checkCitations(scene, criterion);
    case 'audit_event':
      return checkAuditEvent(scene, criterion);
  }
}
