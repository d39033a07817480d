import { z } from 'zod';
import { isEnd } from '../domain/attempt/states';
import type { AttemptDetails } from '../ledger/queries/attempt-details';
import type { Trouble } from '../ledger/queries/trouble';
import { exceededWords, limitName } from './limit-words';
import { troubleWords } from './trouble-words';

/** What an attempt waits for, and the command that answers it. */
export interface Pending {
  readonly kind: 'question' | 'message' | 'budget';
  /** The action that asked, where one did. */
  readonly actionId?: string;
  readonly text: string;
  readonly choices?: readonly string[];
  /** What stood in the way, where it was not the model that asked. */
  readonly trouble?: Trouble;
  /** What the command does, and what to mend first, where that is not plain. */
  readonly advice?: string;
  readonly command: string;
}

const question = z.object({ question: z.string(), choices: z.array(z.string()).optional() });
const finish = z.object({ summary: z.string() });

/** Nothing while the attempt runs, and after its end. */
export function pendingOf(details: AttemptDetails): readonly Pending[] {
  if (isEnd(details.state)) return [];
  if (details.state === 'SUSPENDED') return [suspended(details)];
  if (details.state !== 'WAITING_FOR_USER') return [];
  const command = `holdfast say ${details.attemptId} "…"`;
  const asked = calledWith(details, 'ask_user', question);
  if (details.reason === 'waiting_for_user' && asked !== undefined) {
    const { actionId, args } = asked;
    return [
      { kind: 'question', actionId, text: args.question, ...(args.choices && { choices: args.choices }), command },
    ];
  }
  const { trouble } = details;
  if (trouble !== null) {
    const advice = 'Mend that first; any word then makes it try again.';
    return [{ kind: 'message', text: troubleWords(trouble), trouble, advice, command }];
  }
  const text = calledWith(details, 'finish', finish)?.args.summary ?? details.lastStep?.text ?? '';
  return [{ kind: 'message', text, command }];
}

function suspended({ attemptId, exceeded }: AttemptDetails): Pending {
  const command = `holdfast cancel ${attemptId}`;
  if (exceeded === null) return { kind: 'budget', text: 'suspended', command };
  const advice =
    `This version cannot raise a limit of an attempt: cancel it, raise budget.${limitName(exceeded.limit)} in the task ` +
    'file, and start the task again.';
  return { kind: 'budget', text: exceededWords(exceeded), advice, command };
}

function calledWith<T>(
  { lastStep }: AttemptDetails,
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
