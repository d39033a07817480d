import { z } from 'zod';
import type { Principal } from '../../domain/policy/policy';
import type { LimitPassed, WaitingAttempt } from '../../ledger/queries/inbox';
import { commandText } from '../words/command-text';
import { exceededWords, isTenantLimit, leastWritten, limitName } from '../words/limit-words';
import { troubleWords } from '../words/trouble-words';
import { byWhom } from './by-whom';
import type { Pending } from './pending';

const question = z.object({ question: z.string(), choices: z.array(z.string()).optional() });
const finish = z.object({ summary: z.string() });

/** What an attempt that asked, stopped or is suspended waits for. */
export function pendingWord(tenant: string, attempt: WaitingAttempt, principals: readonly Principal[]): Pending {
  if (attempt.state === 'SUSPENDED') return suspended(tenant, attempt, principals);
  const { attemptId, reason, trouble, lastStep } = attempt;
  const command = commandText(tenant, 'say', attemptId, '"…"');
  const asked = calledWith(attempt, 'ask_user', question);
  if (reason === 'waiting_for_user' && asked !== undefined) {
    const { actionId, args } = asked;
    const choices = args.choices && { choices: args.choices };
    return { kind: 'question', attemptId, actionId, text: args.question, ...choices, command };
  }
  if (trouble !== null) {
    const advice = 'Mend that first; any word then makes it try again.';
    return { kind: 'message', attemptId, text: troubleWords(trouble), trouble, advice, command };
  }
  const text = calledWith(attempt, 'finish', finish)?.args.summary ?? lastStep?.text ?? '';
  return { kind: 'message', attemptId, text, command };
}

function suspended(
  tenant: string,
  { attemptId, reason, exceeded }: WaitingAttempt,
  principals: readonly Principal[],
): Pending {
  const resume = (...words: string[]) => commandText(tenant, 'resume', attemptId, ...words);
  const or = commandText(tenant, 'cancel', attemptId);
  if (reason !== 'budget_exceeded' || exceeded === null) {
    return {
      kind: 'suspended',
      attemptId,
      text: 'somebody who lets it go on: it was suspended',
      command: resume(),
      or,
    };
  }
  const text = exceededWords(exceeded);
  if (isTenantLimit(exceeded.limit)) {
    const advice = tenantAdvice(tenant, exceeded);
    return { kind: 'budget', attemptId, text, advice, command: resume(), or };
  }
  const advice = 'It goes on with what it has, once the limit is raised; the least that lets it is written here.';
  const raised = leastWritten(exceeded) ?? `${limitName(exceeded.limit)}=…`;
  const command = resume(`--budget ${raised}`, ...byWhom(principals));
  return { kind: 'budget', attemptId, text, advice, command, or };
}

/** Whose limit it is, and what helps: time does, but only where the limit is for a time. */
function tenantAdvice(tenant: string, exceeded: LimitPassed): string {
  const least = leastWritten(exceeded)?.split('=')[1];
  const raise = `Whoever operates Holdfast raises it under tenants.${tenant}.maxCostUsd in holdfast.yaml${least === undefined ? '' : ` (to ${least} or more)`} and starts the worker anew`;
  const wait =
    exceeded.per === undefined || exceeded.per === 'total' ? '' : `; or wait until the ${exceeded.per} is over, by UTC`;
  return `It is what all attempts of the tenant "${tenant}" may cost together. ${raise}${wait}.`;
}

function calledWith<T>(
  { lastStep }: WaitingAttempt,
  tool: string,
  schema: z.ZodType<T>,
): { actionId: string; args: T } | undefined {
  const action = lastStep?.actions.findLast((called) => called.tool === tool);
  if (action === undefined) return undefined;
  const args = schema.safeParse(jsonOrUndefined(action.args)).data;
  return args && { actionId: action.actionId, args };
}

/** Arguments are kept as the model wrote them, which need not be JSON. */
function jsonOrUndefined(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
