import type { Contract, HumanCriterion } from '../../domain/contract/contract';
import { feedbackAllowed } from '../../domain/contract/feedback-allowed';
import { bindingOf } from '../../domain/policy/binding';
import { shortHash } from '../../protocol/action-hash';
import type { Call, CallAnswers } from '../../protocol/calls';
import { actionId } from '../../protocol/ids';
import { voidApprovals } from '../approvals';
import { writeCheckpoint } from '../checkpoint';
import type { ActivityDeps } from '../deps';
import type { ActionRow, Approval, AttemptTx } from '../ledger-port';

/** A person may be away for some days, and what was verified grows old, ms. */
const verdictMaxMs = 7 * 24 * 60 * 60 * 1000;

type Answer = CallAnswers['verify'];
export interface Verdict {
  readonly deps: ActivityDeps;
  readonly tx: AttemptTx;
  readonly call: Call<'verify'>;
  readonly contract: Contract;
  readonly criterion: HumanCriterion;
  /** The candidate's `finish`; undefined where it ended without one. */
  readonly finish: ActionRow | undefined;
}

/**
 * A person's word on a candidate (R3.3), asked for as an approval of its `finish`. What was asked is answered once for this candidate,
 * however often it is verified; nobody is asked about one that fell short elsewhere.
 */
export async function humanVerdict(verdict: Verdict): Promise<Answer> {
  const { tx, call, finish } = verdict;
  if (!finish) return cannotAsk(verdict);
  if ((await tx.evidence(call.args.candidate)).some(({ met }) => !met))
    return judged(verdict, false, 'Nobody was asked, since another check failed.');
  await voidApprovals(tx, ({ step }) => step < finish.step);
  const last = await tx.approval(finish.step, finish.index);
  switch (last?.state) {
    case undefined:
    case 'voided':
      return await ask(verdict, finish, (last?.ordinal ?? 0) + 1);
    case 'open':
      if (call.now < last.expiresAt) return asks(finish, last);
      tx.closeApproval(last, 'expired');
      tx.emit({ type: 'approval_closed', payload: { action: idOf(tx, finish), as: 'expired' } });
      return judged(verdict, false, nobody);
    case 'granted':
      tx.closeApproval(last, 'spent');
      return judged(verdict, true, '', said(last, 'approve'));
    case 'spent':
      return judged(verdict, true, '', said(last, 'approve'));
    case 'denied':
      return judged(verdict, false, said(last, 'deny'));
    case 'expired':
      return judged(verdict, false, nobody);
  }
}

const nobody = 'Nobody answered in time.';
const idOf = (tx: AttemptTx, { step, index }: ActionRow) => actionId(tx.attempt.ref.id, step, index);

/** Who answered, and why. */
function said({ answers }: Approval, kind: 'approve' | 'deny'): string {
  const words = { approve: 'yes', deny: 'no' };
  return answers
    .filter(({ answer }) => answer === kind)
    .map(({ by, reason }) => `${by} said ${words[kind]}${reason ? `: ${reason}` : '.'}`)
    .join(' ');
}

async function ask(verdict: Verdict, finish: ActionRow, ordinal: number): Promise<Answer> {
  const { deps, tx, call, contract, criterion } = verdict;
  const { step, index, tool } = finish;
  const { ref, contractVersion } = tx.attempt;
  const expiresAt = call.now + verdictMaxMs;
  const policy = deps.policy.version;
  const binding = bindingOf({
    tenant: ref.tenant,
    attempt: ref.id,
    action: idOf(tx, finish),
    tool,
    toolVersion: deps.tools.get(tool)?.version ?? '',
    effect: 'none',
    argsHash: finish.argsHash,
    target: criterion.question,
    contractVersion,
    policy,
    expiresAt,
  });
  const rule = `acceptance:${criterion.id}`;
  const { approvers = [] } = criterion;
  const terms = { approvers, approvals: 1, expiresInMs: verdictMaxMs, channel: 'asserted' } as const;
  tx.insertApproval({
    step,
    index,
    ordinal,
    binding,
    rule,
    policy,
    tool,
    target: criterion.question,
    terms,
    expiresAt,
  });
  tx.emit({ type: 'approval_requested', payload: { index, tool, binding, rule, policy, needed: 1, expiresAt } });
  await writeCheckpoint(deps, tx, contract, 'approval');
  return asks(finish, { binding, expiresAt });
}

const asks = ({ index, tool, argsHash }: ActionRow, of: Pick<Approval, 'binding' | 'expiresAt'>): Answer => ({
  kind: 'asks',
  action: { index, tool, hash: shortHash(argsHash), quick: true },
  binding: of.binding,
  expiresAt: of.expiresAt,
});

function judged({ tx, call, criterion }: Verdict, met: boolean, detail: string, output?: string): Answer {
  const { candidate } = call.args;
  const body = { detail, ran: `human: ${criterion.question}`, ...(output !== undefined && { output }) };
  tx.insert('evidence', { candidate, criterion: criterion.id, met, snapshot: tx.attempt.snapshot, body });
  tx.emit({ type: 'criterion_checked', payload: { criterion: criterion.id, met, candidate } });
  return { kind: 'checked', met, feedback: feedbackAllowed(criterion) };
}

function cannotAsk({ tx, call, criterion }: Verdict): Answer {
  const code = 'NOTHING_TO_JUDGE';
  const { candidate } = call.args;
  tx.emit({ type: 'criterion_checked', payload: { criterion: criterion.id, met: false, candidate, code } });
  return { kind: 'failed', failure: { class: 'environment_drift', code } };
}
