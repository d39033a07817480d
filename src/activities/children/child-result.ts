import type { Account } from '../../domain/budget/account';
import { failed } from '../../domain/failure/failed';
import { type AttemptRef, resultBranch } from '../../protocol/ids';
import { loadBody } from '../bodies';
import type { RecordDeps } from '../deps';
import type { AttemptRow, ViewRows } from '../ledger-port';
import type { ToolResult } from '../ports';

/** What a child that has ended came to (R15.1). */
export interface ChildFound {
  readonly result: ToolResult;
  readonly row: Pick<AttemptRow, 'ref' | 'state' | 'reason' | 'tainted'> & { readonly account: Account };
}

type ReadDeps = Pick<RecordDeps, 'ledger' | 'artifacts'>;

/** Read from its rows, which its end has closed: whoever looks, and however often, finds the same. */
export async function childResult({ ledger, artifacts }: ReadDeps, child: AttemptRef): Promise<ChildFound> {
  const { attempt, steps } = await ledger.view(child);
  const evidence = await ledger.transact(child, { n: 0 }, (tx) => tx.newestEvidence());
  const committed = await ledger.firstEvent(child, 'committed');
  const told = {
    child: child.id,
    state: attempt.state,
    reason: attempt.reason,
    summary: await summaryOf(artifacts, child.tenant, steps.at(-1)),
    evidence: evidence.map(({ criterion, met }) => ({ criterion, met })),
    ...(committed !== undefined && { branch: resultBranch(child) }),
    ...(attempt.snapshot !== null && { snapshot: attempt.snapshot }),
  };
  const text = JSON.stringify(told);
  return {
    row: attempt,
    result:
      attempt.state === 'COMPLETED'
        ? { ok: true, output: text }
        : failed(
            { class: 'tool_business', code: `CHILD_${attempt.state}` },
            text,
            'Use what it has found, do the rest yourself, or delegate it anew with what was missing.',
          ),
  };
}

/** What it said at its end: the summary of its `finish`, else its last text. */
async function summaryOf(
  artifacts: ReadDeps['artifacts'],
  tenant: string,
  last: ViewRows['steps'][number] | undefined,
): Promise<string> {
  if (!last) return '';
  const finish = last.calls.find(({ tool }) => tool === 'finish');
  const summary = finish && summaryIn(await loadBody(artifacts, tenant, finish.args));
  return summary ?? (await loadBody(artifacts, tenant, last.body));
}

/** Undefined where the model wrote something else than a summary. */
function summaryIn(args: string): string | undefined {
  try {
    const { summary } = JSON.parse(args) as { readonly summary?: unknown };
    return typeof summary === 'string' ? summary : undefined;
  } catch {
    return undefined;
  }
}
