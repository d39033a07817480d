import { setTimeout as sleep } from 'node:timers/promises';
import type { ExternalCriterion } from '../domain/contract/contract';
import { differenceInWords, differencesFrom } from '../domain/contract/external-check';
import type { Failure } from '../domain/failure/failure';
import type { Audit } from './audit-check';
import type { Checked } from './checked';
import type { ActivityDeps } from './deps';
import { keepOutput } from './keep-output';
import type { AttemptRow } from './ledger-port';
import type { ReadTool } from './ports';
import { runTool } from './tool-run';

/** Between two looks, ms: other systems settle within seconds, and are not to be flooded. */
const pollMs = 1_000;

/**
 * Reads back from the outside system whether what the contract expects is there (R3.3), and looks again until it is or
 * `withinMs` has passed. A tool that fails says nothing about the candidate. Rejects only with the signal's reason.
 */
export async function checkExternal(
  deps: ActivityDeps,
  attempt: AttemptRow,
  criterion: ExternalCriterion,
  audit: Audit,
  signal: AbortSignal,
): Promise<Checked> {
  const tool = deps.tools.get(criterion.tool);
  if (!tool) return failedCheck('CHECK_TOOL_MISSING');
  if (tool.effect !== 'none') return failedCheck('CHECK_TOOL_WRITES');
  if (tool.validate(criterion.args) !== undefined) return failedCheck('CHECK_ARGUMENTS_INVALID');
  const beganMs = performance.now();
  for (let looks = 1; ; looks += 1) {
    await audit(tool, criterion.args, looks);
    const checked = await look(deps, attempt, tool, criterion, signal, beganMs);
    const elapsedMs = performance.now() - beganMs;
    if ((checked.kind === 'checked' && checked.met) || elapsedMs + pollMs > (criterion.withinMs ?? 0)) return checked;
    await sleep(pollMs, undefined, { signal });
  }
}

async function look(
  deps: ActivityDeps,
  attempt: AttemptRow,
  tool: ReadTool,
  { args, expect }: ExternalCriterion,
  signal: AbortSignal,
  beganMs: number,
): Promise<Checked> {
  const { result } = await runTool(deps, attempt, tool, args, {}, signal);
  if (!result.ok) return { kind: 'failed', failure: ofCheck(result.failure) };
  const answer = parsed(result.output);
  if (!answer) return failedCheck('CHECK_ANSWER_NOT_JSON');
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
  };
}

const failedCheck = (code: string): Checked => ({ kind: 'failed', failure: { class: 'environment_drift', code } });

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
