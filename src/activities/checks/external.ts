import { setTimeout as sleep } from 'node:timers/promises';
import type { ExternalCriterion } from '../../domain/contract/contract';
import { differenceInWords, differencesFrom } from '../../domain/contract/external-check';
import type { Failure } from '../../domain/failure/failure';
import { keepOutput } from '../keep-output';
import type { ReadTool } from '../ports';
import { runTool } from '../tool-run';
import { type Checked, cannotCheck } from './checked';
import type { CheckScene, Verifier } from './verifier';

/** Between two looks, ms: other systems settle within seconds, and are not to be flooded. */
const pollMs = 1_000;

/**
 * Reads back from the outside system whether what the contract expects is there (R3.3), and looks again until it is or
 * `withinMs` has passed. A tool that fails says nothing about the candidate.
 */
export const checkExternal: Verifier<ExternalCriterion> = async (scene, criterion) => {
  const tool = scene.deps.tools.get(criterion.tool);
  if (!tool) return cannotCheck('CHECK_TOOL_MISSING');
  if (tool.effect !== 'none') return cannotCheck('CHECK_TOOL_WRITES');
  if (tool.validate(criterion.args) !== undefined) return cannotCheck('CHECK_ARGUMENTS_INVALID');
  const beganMs = performance.now();
  for (let looks = 1; ; looks += 1) {
    await scene.audit(tool, criterion.args, looks);
    const checked = await look(scene, tool, criterion, beganMs);
    const elapsedMs = performance.now() - beganMs;
    if ((checked.kind === 'checked' && checked.met) || elapsedMs + pollMs > (criterion.withinMs ?? 0)) return checked;
    await sleep(pollMs, undefined, { signal: scene.signal });
  }
};

async function look(
  { deps, attempt, signal }: CheckScene,
  tool: ReadTool,
  { args, expect }: ExternalCriterion,
  beganMs: number,
): Promise<Checked> {
  const { result } = await runTool(deps, attempt, tool, args, {}, signal);
  if (!result.ok) return { kind: 'failed', failure: ofCheck(result.failure) };
  const answer = parsed(result.output);
  if (!answer) return cannotCheck('CHECK_ANSWER_NOT_JSON');
  const differences = differencesFrom(expect, answer.value);
  return {
    kind: 'checked',
    met: differences.length === 0,
    snapshot: null,
    evidence: {
      detail: differences.map(differenceInWords).join(' '),
      ran: `${tool.name} ${JSON.stringify(args)}`,
      durationMs: Math.round(performance.now() - beganMs),
      ...(await keepOutput(deps, attempt.ref.tenant, result.output)),
    },
    ...(tool.untrusted && { untrusted: true }),
  };
}

/** What passes by itself is worth another try of the check; anything else is for a person, whoever's fault it is. */
const ofCheck = (failure: Failure): Failure =>
  failure.class === 'tool_transient' ? failure : { class: 'environment_drift', code: failure.code };

function parsed(output: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(output) };
  } catch {
    return undefined;
  }
}
