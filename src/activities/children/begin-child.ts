import { type ChildContract, childContract } from '../../domain/child/child-contract';
import { childTask } from '../../domain/child/child-task';
import { childDepthMax, liveChildrenMax } from '../../domain/child/limits';
import { holdShare, shareFor } from '../../domain/child/share';
import type { Contract } from '../../domain/contract/contract';
import { failed } from '../../domain/failure/failed';
import type { StartSnapshot } from '../../protocol/attempt';
import type { Call, CallAnswers } from '../../protocol/calls';
import { taskOf } from '../../protocol/ids';
import type { CheckedAction } from '../checked-action';
import type { AttemptTx } from '../ledger-port';
import { observeError } from '../observe';
import type { ToolPort } from '../ports';
import { childPending } from './child-pending';

type Answer = CallAnswers['act'];

/**
 * Makes the child that an action asks for, in the parent's transaction (R15.1): a row without a workflow, which a worker starts. A
 * repeat finds the recorded answer, and so never makes another.
 */
export async function beginChild(
  tools: ToolPort,
  tx: AttemptTx,
  call: Call<'act'>,
  { asked, name, contract: parent }: Extract<CheckedAction, { kind: 'delegate' }>,
): Promise<Answer> {
  const { attempt } = tx;
  const { step, index } = call.args;
  const refuse = (code: string, why: string, next: string) =>
    observeError(tx, { step, index }, { about: name }, failed({ class: 'tool_business', code }, why, next));
  const own = 'Do it yourself, or with the children that you have.';

  const depth = (attempt.child?.depth ?? 0) + 1;
  if (depth > childDepthMax) return refuse('TOO_DEEP', `Children are at most ${childDepthMax} deep.`, own);
  const made = checked(tools, childContract(parent, asked));
  if (!made.ok) return refuse(made.code, made.why, made.next);
  const shared = shareFor(attempt.account, attempt.limits, asked.budget);
  if (!shared.ok) return refuse('NOT_ENOUGH_BUDGET', shared.why, 'Ask for less, or do it yourself.');
  if ((await tx.liveChildren()) >= liveChildrenMax)
    return refuse('TOO_MANY_CHILDREN', `At most ${liveChildrenMax} children run at once.`, own);

  const { contract } = made;
  const ref = await tx.newChild({
    step,
    index,
    task: childTask(taskOf(attempt.ref.id), numberOf(attempt.ref.id), { step, index }),
    contract,
    limits: shared.limits,
    share: shared.share,
    start: childStart(attempt.start, contract),
    origin: {
      parent: attempt.ref.id,
      root: attempt.child?.root ?? attempt.ref.key,
      depth,
      snapshot: contract.workspace ? attempt.snapshot : null,
    },
  });
  tx.update({ account: holdShare(attempt.account, shared.share) });
  tx.emit({ type: 'child_started', payload: { index, child: ref.id } });
  return childPending(call, ref);
}

/** What only the tools here can say of it. */
function checked(
  tools: ToolPort,
  made: ChildContract,
): ChildContract | { ok: false; code: string; why: string; next: string } {
  if (!made.ok) return made;
  const unread = made.contract.acceptance.find(
    (criterion) => criterion.check === 'external' && tools.get(criterion.tool)?.effect !== 'none',
  );
  if (unread?.check !== 'external') return made;
  return {
    ok: false,
    code: 'CHECK_TOOL_UNKNOWN',
    why: `${unread.id} asks ${unread.tool}, which is no tool that reads.`,
    next: 'Name a tool that reads.',
  };
}

/** As its parent was started, for another contract. */
function childStart(
  { compensation: _undone, race: _raced, ...start }: StartSnapshot,
  contract: Contract,
): StartSnapshot {
  return {
    ...start,
    kind: contract.kind,
    hasWorkspace: contract.workspace !== undefined,
    criteria: contract.acceptance.map(({ id }) => id),
  };
}

const numberOf = (attempt: string) => Number(attempt.slice(attempt.lastIndexOf('/') + 1));
