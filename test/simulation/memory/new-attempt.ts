import type { ChildOrigin, ForkOrigin } from '../../../src/activities/ledger-port';
import { emptyAccount, type Limits } from '../../../src/domain/budget/account';
import type { Contract } from '../../../src/domain/contract/contract';
import { contractHash } from '../../../src/domain/contract/hash';
import type { StartSnapshot } from '../../../src/protocol/attempt';
import { type AttemptRef, attemptId } from '../../../src/protocol/ids';
import { AttemptTables, type Tables } from './tables';

export interface MemoryStart {
  readonly tenant: string;
  readonly task: string;
  readonly contract: Contract;
  readonly limits: Limits;
  /** The first message. */
  readonly input: string;
  readonly snapshot: StartSnapshot;
  readonly by: string;
  readonly versions?: Readonly<Record<string, string>>;
  readonly forkedFrom?: ForkOrigin;
  readonly child?: ChildOrigin;
  readonly tainted?: boolean;
}

/** Its rows, which nobody has yet. */
export function newAttempt(
  tables: Tables,
  start: MemoryStart,
): { readonly ref: AttemptRef; readonly own: AttemptTables } {
  const { tenant, task, contract, limits, input, snapshot, by, versions = {} } = start;
  const others = [...tables.attempts.values()]
    .map(({ head: { row } }) => row)
    .filter((row) => row.ref.tenant === tenant && row.ref.id.startsWith(`${task}/`));
  const kinAfter = others.findLastIndex(({ state }) => state === 'COMPLETED') + 1; // they stand in the order of their numbers
  const ref: AttemptRef = { tenant, id: attemptId(task, others.length + 1), key: tables.nextKey++ };
  const contractVersion = versionOf(tables.contracts, `${tenant}/${task}`, contract);
  const row = {
    ref,
    start: snapshot,
    thread: ref.key,
    forkedFrom: start.forkedFrom ?? null,
    child: start.child ?? null,
    contractVersion,
    revisedAfterStep: null,
    compactAfter: 0,
    versionsNoted: null,
    staleTargets: [],
    startedBy: by,
    tainted: start.tainted ?? false,
    state: 'CREATED' as const,
    reason: null,
    modelStop: null,
    turn: 1,
    step: 0,
    acked: 0,
    heard: 1,
    account: { ...emptyAccount, turns: 1 },
    limits,
    versions,
    baseCommit: null,
    snapshot: null,
    host: null,
    ended: false,
  };
  const own = new AttemptTables({ row, kinAfter, sequence: 1, taskCompletion: null }, contract);
  own.inputs.set(1, { ordinal: 1, turn: 1, after_step: 0, kind: 'message', body: { text: input } });
  own.turns.set(1, { turn: 1, first_step: 1 });
  own.events.set(1, {
    sequence: 1,
    move: 0,
    k: 0,
    type: 'attempt_created',
    turn: 1,
    step: 0,
    visibility: 'user',
    payload: { contractVersion },
  });
  return { ref, own };
}

function versionOf(contracts: Tables['contracts'], task: string, contract: Contract): number {
  const known = contracts.get(task) ?? [];
  contracts.set(task, known);
  const hash = contractHash(contract);
  const at = known.findIndex((version) => version.hash === hash);
  return at < 0 ? known.push({ hash, contract }) : at + 1;
}
