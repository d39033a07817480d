import type { AnsweredCall, ItemRecords, ViewRows } from '../../../src/activities/ledger-port';
import type { AttemptRef } from '../../../src/protocol/ids';
import { newestApproval } from './effect-reads';
import { attemptTables, evidenceOf, newestCandidate, readView } from './reads';
import { type AttemptTables, placeKey, type Tables } from './tables';

/** What is read of the record for a compacted view. */

export function itemRecords(tables: Tables, key: number, uptoStep: number): ItemRecords {
  const own = attemptTables(tables, key);
  const actions = [...own.actions.values()].sort((a, b) => a.step - b.step || a.index - b.index);
  const seen = actions.map((action) => ({
    ...action,
    seen: own.observations.get(placeKey(action.step, action.index)),
  }));
  const hidden = seen.filter(({ step }) => step <= uptoStep);
  const inherited = [...own.projections.values()].find(({ made_by }) => made_by === 'inherited');
  return {
    evidence: evidenceOf(own, newestCandidate(own))
      .map(({ criterion, met, body }) => ({ criterion, met, detail: body.detail }))
      .sort((a, b) => (a.criterion < b.criterion ? -1 : 1)),
    calls: hidden.map(({ step, index, tool, seen: observed }) => ({
      step,
      index,
      tool,
      ...(observed && !observed.ok && { failure: { class: observed.failure_class, text: observed.body.text } }),
    })),
    effects: effectsOf(tables, key, () => true),
    approvals: newestApprovals(own, () => true),
    steps: [...own.steps.keys()]
      .sort((a, b) => a - b)
      .map((step) => {
        const calls = seen.filter((action) => action.step === step);
        const observed = calls.filter((call) => call.seen).length;
        return { step, callIds: calls.map(({ callId }) => callId), observed };
      }),
    writes: hidden
      .filter(({ seen: observed }) => observed?.ok && observed.snapshot !== null)
      .map(({ step, index, tool, args }) => ({ step, index, tool, args })),
    inherited: inherited?.body ?? null,
  };
}

export function answeredOf(own: AttemptTables, tools: readonly string[]): readonly AnsweredCall[] {
  return [...own.actions.values()]
    .filter(({ tool }) => tools.includes(tool))
    .sort((a, b) => a.step - b.step || a.index - b.index)
    .flatMap(({ step, index, tool, args }) => {
      const seen = own.observations.get(placeKey(step, index));
      if (!seen?.ok) return [];
      const tries = [...own.toolTries.values()].filter((row) => row.step === step && row.index === index);
      const last = tries.sort((a, b) => a.try - b.try || a.execution - b.execution).at(-1);
      return [{ step, index, tool, args, text: seen.body.text, snapshot: last?.snapshot ?? null }];
    });
}

export function inputOf(
  own: AttemptTables,
  ordinal: number,
): Pick<ViewRows['inputs'][number], 'kind' | 'text'> | undefined {
  const input = own.inputs.get(ordinal);
  return input && { kind: input.kind, text: input.body.text };
}

export function firstEventOf(own: AttemptTables, type: string): number | undefined {
  const found = [...own.events.values()].filter((event) => event.type === type).map(({ sequence }) => sequence);
  return found.length === 0 ? undefined : Math.min(...found);
}

export function viewOf(tables: Tables, key: number): ViewRows {
  const own = attemptTables(tables, key);
  return { ...readView(own), waiting: waitingItems(tables, key), lastTest: lastTestOf(own) };
}

function lastTestOf(own: AttemptTables): ViewRows['lastTest'] {
  const told = [...own.observations.values()]
    .filter(({ failing_tests }) => failing_tests !== null)
    .sort((a, b) => a.step - b.step || a.index - b.index)
    .at(-1);
  const args = told && own.actions.get(placeKey(told.step, told.index))?.args;
  return args ? { args, failing: told.failing_tests ?? 0 } : null;
}

/** What an attempt waits for. */
function waitingItems(tables: Tables, key: number): Pick<ItemRecords, 'effects' | 'approvals'> {
  return {
    effects: effectsOf(tables, key, ({ phase }) => phase === 'SENT' || phase === 'UNKNOWN'),
    approvals: newestApprovals(attemptTables(tables, key), ({ state }) => state === 'open'),
  };
}

type ItemEffect = ItemRecords['effects'][number];
type ItemApproval = ItemRecords['approvals'][number];

function effectsOf(tables: Tables, key: number, is: (effect: ItemEffect) => boolean): readonly ItemEffect[] {
  return [...tables.effects.values()]
    .filter((effect) => effect.attempt === key && is(effect))
    .sort((a, b) => a.claimedAt - b.claimedAt || a.step - b.step || a.index - b.index || a.generation - b.generation)
    .map(({ step, index, tool, target, phase, downstreamId, outcome }) => ({
      ...{ step, index, tool, target, phase },
      ...{ downstreamId, outcome },
    }));
}

function newestApprovals(own: AttemptTables, is: (approval: ItemApproval) => boolean): readonly ItemApproval[] {
  const places = new Map([...own.approvals.values()].map((row) => [placeKey(row.step, row.index), row]));
  return [...places.values()]
    .sort((a, b) => a.step - b.step || a.index - b.index)
    .flatMap(({ step, index }) => newestApproval(own, step, index) ?? [])
    .filter(is)
    .map(({ step, index, tool, target, state, answers }) => ({
      ...{ step, index, tool, target, state },
      answers: answers.map(({ by, answer, reason }) => ({ by, answer, ...(reason !== undefined && { reason }) })),
    }));
}

/** An earlier attempt of the same task. */
export function ancestorOf(tables: Tables, ref: AttemptRef, id: string): AttemptRef | undefined {
  const own = attemptTables(tables, ref.key).head.row;
  const earlier = [...tables.attempts.values()].map(({ head }) => head.row).filter((row) => row.ref.key < ref.key);
  const found = earlier.find((row) => row.ref.id === id && row.ref.tenant === ref.tenant);
  const descends = found && (found.thread === own.thread || own.forkedFrom?.ancestors.includes(found.ref.key));
  return descends ? found.ref : undefined;
}
