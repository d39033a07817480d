import { noteToolResult } from '../domain/budget/reserve';
import { failed } from '../domain/failure/failed';
import { foundNothing } from '../domain/progress/found-nothing';
import { resultHash } from '../domain/progress/result-hash';
import { failingTests } from '../domain/progress/test-report';
import type { Call, CallAnswers } from '../protocol/calls';
import type { AttemptTx, Inserts } from './ledger-port';
import type { ToolDefinition, ToolResult } from './ports';
import { insertUnrunTry } from './unrun-try';

type Action = Pick<Call<'act'>['args'], 'step' | 'index'>;
export type Observed = Extract<CallAnswers['act'], { kind: 'observed' }>;
export type Refusal = Extract<ToolResult, { ok: false }>;

/**
 * Whose words the model is shown: a tool's own, whatever it answered, or the runtime's about a call of a tool. `ran`: false where
 * the call was not let run, for that is no error of the tool's (`maxSameToolErrors`) and no success.
 */
export type Words = { readonly ran?: false } & (
  | { readonly of: Pick<ToolDefinition, 'name' | 'untrusted'> }
  | { readonly about: string }
);

/**
 * Records what the model will see of an action; words of a tool that nobody vouches for taint the attempt (R5). `snapshot`: of
 * the workspace, where the action may have changed it. `notice`: what the runtime adds; no part of the answer (R7).
 */
export function observe(
  tx: AttemptTx,
  { step, index }: Action,
  words: Words,
  result: ToolResult,
  text: string,
  snapshot?: string,
  notice = '',
): Observed {
  const tool = 'of' in words ? words.of.name : words.about;
  const taints = 'of' in words && words.of.untrusted === true && !tx.attempt.tainted;
  const bytes = Buffer.byteLength(text + notice);
  const moved = snapshot !== undefined && snapshot !== tx.attempt.snapshot;
  tx.insert('observations', {
    step,
    index,
    ok: result.ok,
    body: { text: text + notice },
    tokens: Math.ceil(bytes / 4),
    snapshot: snapshot ?? null,
    result_hash: resultHash(tool, text),
    failure_class: result.ok ? null : result.failure.class,
    found_nothing: result.ok && foundNothing(text),
    failing_tests: 'of' in words && result.ok ? failingTests(text) : null,
  });
  tx.update({
    ...(words.ran !== false && { account: noteToolResult(tx.attempt.account, tool, result.ok) }),
    ...(snapshot === undefined ? {} : { snapshot }),
    ...(taints && { tainted: true as const }),
  });
  tx.emit({
    type: 'action_finished',
    payload: {
      index,
      tool,
      ok: result.ok,
      ...(result.ok ? {} : { code: result.failure.code }),
      ...(moved ? { snapshot } : {}),
      bytes,
    },
  });
  return { kind: 'observed', ok: result.ok };
}

/** The same for what did not run, or did not succeed. */
export const observeError = (tx: AttemptTx, action: Action, words: Words, refusal: Refusal): Observed =>
  observe(tx, action, words, refusal, errorText(refusal));

export const errorText = (result: Refusal) => JSON.stringify({ ok: false, error: result.error });

/** Refused by policy, a person, a revocation or a constraint: an observation, and a try that never ran (R5.2). */
export function deny(
  tx: AttemptTx,
  action: Call<'act'>['args'],
  tool: string,
  { rule, code, why, next }: { rule: string; code: string; why: string; next: string },
  prints: Pick<Inserts['tool_tries'], 'fingerprint' | 'likeness' | 'stepless' | 'poll'>,
  by: { readonly policy: string; readonly worker: string; readonly execution: number },
): Extract<CallAnswers['act'], { kind: 'denied' }> {
  const { index } = action;
  const refusal = failed({ class: 'policy_denied', code }, why, next);
  insertUnrunTry(tx, action, { ...prints, ...by, rule }, code);
  tx.emit({ type: 'action_denied', payload: { index, tool, code, rule, policy: by.policy } });
  observeError(tx, action, { about: tool, ran: false }, refusal);
  return { kind: 'denied', code };
}
