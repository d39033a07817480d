import type { Approval, SceneAsk } from '../../../src/activities/ledger-port';
import type { Effect } from '../../../src/domain/effect/effect';
import type { SentTry } from '../../../src/domain/effect/outcome';
import { kinOf } from './kin';
import { isLive } from './reads';
import { type AttemptTables, type EffectRecord, placeKey, type Tables } from './tables';

/** What is read of effects and approvals. */

export function seenEffect(tables: Tables, record: EffectRecord, nowMs: number): Effect {
  const execution = tables.attempts.get(record.attempt)?.executions.get(record.n);
  const { tenant: _tenant, n: _n, claimedAt: _claimedAt, ...effect } = record;
  return {
    ...effect,
    ownerLive: execution !== undefined && execution.id === record.owner && isLive(tables, execution, nowMs),
  };
}

const byGeneration = (a: EffectRecord, b: EffectRecord) => a.generation - b.generation;

/** Newest generation that the action owned, under whatever key. */
export function ownRecord(tables: Tables, attempt: number, step: number, index: number): EffectRecord | undefined {
  return [...tables.effects.values()]
    .filter((row) => row.attempt === attempt && row.step === step && row.index === index)
    .sort((a, b) => a.claimedAt - b.claimedAt || byGeneration(a, b))
    .at(-1);
}

/** Every effect of an attempt, in no order. */
export const madeBy = (tables: Tables, attempt: number): EffectRecord[] =>
  [...tables.effects.values()].filter((row) => row.attempt === attempt);

const standing: ReadonlySet<string> = new Set(['CLAIMED', 'SENT', 'COMMITTED', 'UNKNOWN', 'COMPENSATION_FAILED']);

/** The key that the action has, or that a kin did its operation under, less those that calls were answered with. */
export function kinKey(
  tables: Tables,
  attempt: number,
  of: { readonly tool: string; readonly argsHash: string; readonly step: number; readonly index: number },
): string | undefined {
  const { step, index, tool, argsHash } = of;
  const held = ownRecord(tables, attempt, step, index);
  if (held && (held.phase !== 'NOT_COMMITTED' || held.sentAt !== null)) return held.key;
  const kin = kinOf(tables, attempt);
  const answered = [...(tables.attempts.get(attempt)?.toolTries.values() ?? [])].map(({ reused }) => reused);
  const known = [...tables.effects.values()]
    .filter((row) => kin.includes(row.attempt) && row.tool === tool && row.argsHash === argsHash)
    .filter(({ phase, key }) => standing.has(phase) && !answered.includes(key))
    .sort((a, b) => a.attempt - b.attempt || a.step - b.step || a.index - b.index);
  return known[0]?.key ?? held?.key;
}

export function newestRecord(tables: Tables, tenant: string, key: string): EffectRecord | undefined {
  return [...tables.effects.values()]
    .filter((row) => row.tenant === tenant && row.key === key)
    .sort(byGeneration)
    .at(-1);
}

/** E7: the first sent effect of another key on the target whose truth is open, or that somebody is about to send. */
export function blockerRecord(
  tables: Tables,
  tenant: string,
  { key, target }: SceneAsk,
  nowMs: number,
): EffectRecord | undefined {
  return [...tables.effects.values()]
    .filter(
      (row) =>
        row.tenant === tenant &&
        row.target === target &&
        row.key !== key &&
        (row.phase === 'UNKNOWN' ||
          row.phase === 'SENT' ||
          (row.phase === 'CLAIMED' && seenEffect(tables, row, nowMs).ownerLive)),
    )
    .sort((a, b) => sentMs(a) - sentMs(b))
    .at(0);
}

const sentMs = ({ sentAt }: EffectRecord) => sentAt?.getTime() ?? Number.MAX_SAFE_INTEGER;

export function sendsOf(own: AttemptTables, step: number, index: number): SentTry[] {
  return [...own.toolTries.values()]
    .filter((row) => row.step === step && row.index === index && row.sent)
    .map((row) => ({ try: row.try, execution: row.execution, proven: row.proven, at: new Date(row.openedAt) }))
    .sort((a, b) => a.try - b.try || a.execution - b.execution);
}

/** Tries of a tool in the tenant's attempts since then. */
export function countCalls(tables: Tables, tenant: string, tool: string, sinceMs: number): number {
  return [...tables.attempts.values()]
    .filter(({ head }) => head.row.ref.tenant === tenant)
    .flatMap((own) =>
      [...own.toolTries.values()].filter(
        (row) =>
          row.openedAt > sinceMs &&
          row.close?.outcome !== 'not_run' &&
          own.actions.get(placeKey(row.step, row.index))?.tool === tool,
      ),
    ).length;
}

export function newestApproval(own: AttemptTables, step: number, index: number): Approval | undefined {
  const found = [...own.approvals].filter(([, row]) => row.step === step && row.index === index);
  const last = found.sort(([, a], [, b]) => a.ordinal - b.ordinal).at(-1);
  return last && withAnswers(own, last);
}

export function waitingApprovals(own: AttemptTables): Approval[] {
  return [...own.approvals]
    .filter(([, { state }]) => state === 'open' || state === 'granted')
    .map((entry) => withAnswers(own, entry));
}

function withAnswers(own: AttemptTables, [key, row]: [string, Omit<Approval, 'answers'>]): Approval {
  return {
    ...row,
    answers: [...own.answers.values()].filter(({ approval }) => approval === key).map(({ answer }) => answer),
  };
}

/** The newest denial of the same call at another place before this one. */
export function deniedBefore(
  own: AttemptTables,
  tool: string,
  argsHash: string,
  step: number,
  index: number,
): { code: string } | undefined {
  const before = [...own.actions.values()].filter(
    (action) =>
      action.tool === tool &&
      action.argsHash === argsHash &&
      (action.step < step || (action.step === step && action.index < index)),
  );
  for (const event of [...own.events.values()].reverse()) {
    if (event.type !== 'action_denied') continue;
    const payload = event.payload as { index: number; code: string };
    if (payload.code === 'GOAL_REVISED') continue;
    if (before.some((action) => action.step === event.step && action.index === payload.index))
      return { code: payload.code };
  }
  return undefined;
}
