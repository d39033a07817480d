import type {
  AttemptRow,
  EvidenceRow,
  ExecutionRow,
  InboxRow,
  OpenTry,
  RecordedAnswer,
  Standing,
  TransactionScope,
  ViewRows,
} from '../../../src/activities/ledger-port';
import { committedShownMax } from '../../../src/domain/checkpoint/checkpoint';
import type { StoredCheckpoint } from '../../../src/domain/checkpoint/read-checkpoint';
import { leansOn } from '../../../src/domain/checkpoint/short-form';
import type { Contract } from '../../../src/domain/contract/contract';
import { isRunning } from '../../../src/domain/job/job';
import { type AttemptRef, taskOf } from '../../../src/protocol/ids';
import { leaseMs } from '../../../src/protocol/lease';
import { kinOf } from './kin';
import {
  type AttemptTables,
  type EffectRecord,
  type ExecutionRecord,
  type InboxRecord,
  placeKey,
  type Tables,
} from './tables';

/** What is read of one attempt's rows. */

export function attemptTables(tables: Tables, key: number): AttemptTables {
  const found = tables.attempts.get(key);
  if (!found) throw new Error(`No attempt has the key ${key}.`);
  return found;
}

/** M9: by the clock of the ledger. */
export function isLive(tables: Tables, execution: ExecutionRecord, nowMs: number): boolean {
  const worker = tables.workers.get(execution.worker);
  return !execution.finished && worker !== undefined && !worker.ended && worker.renewedAt > nowMs - leaseMs;
}

export interface Facts {
  attempt: AttemptRow;
  answered: RecordedAnswer | undefined;
  execution: ExecutionRow | undefined;
  messages: InboxRow[];
  hasKin: boolean;
  lastInput: number;
  lastMessageInput: number;
  nextK: number;
}

export function readFacts(
  tables: Tables,
  key: number,
  { n, awaited = [], beside = Number.POSITIVE_INFINITY }: TransactionScope,
  nowMs: number,
): Facts {
  const own = attemptTables(tables, key);
  const execution = own.executions.get(n);
  const inputs = [...own.inputs.values()];
  const last = (rows: readonly { ordinal: number }[]) => Math.max(0, ...rows.map(({ ordinal }) => ordinal));
  return {
    attempt: { ...own.head.row },
    answered: own.moves.get(n),
    execution: execution && {
      id: execution.id,
      kind: execution.kind,
      argsHash: execution.argsHash,
      live: isLive(tables, execution, nowMs),
    },
    messages: [...own.inbox.values()]
      .filter(
        ({ takenBy, message }) =>
          takenBy === null || takenBy === n || takenBy >= beside || awaited.includes(message.id),
      )
      .sort((a, b) => a.ordinal - b.ordinal)
      .map(inboxRow),
    hasKin: kinOf(tables, key).length > 0,
    lastInput: last(inputs),
    lastMessageInput: last(inputs.filter(({ kind }) => kind === 'message')),
    nextK: Math.max(-1, ...[...own.events.values()].filter(({ move }) => move === n).map(({ k }) => k)) + 1,
  };
}

const inboxRow = ({ message, takenBy, disposition, why, at }: InboxRecord): InboxRow => ({
  ...message,
  takenBy,
  disposition,
  why,
  at: new Date(at),
});

export function newestModelTry(own: AttemptTables, step: number, tryNumber: number): OpenTry | undefined {
  const tries = [...own.modelTries.values()].filter((row) => row.step === step && row.try === tryNumber);
  const last = tries.sort((a, b) => a.execution - b.execution).at(-1);
  return last && { execution: last.execution, closed: last.close !== undefined, reserved: last.reserved };
}

const nothing = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, costMicroUsd: 0 };

export function newestToolTry(own: AttemptTables, step: number, index: number, tryNumber: number): OpenTry | undefined {
  const tries = [...own.toolTries.values()].filter(
    (row) => row.step === step && row.index === index && row.try === tryNumber,
  );
  const last = tries.sort((a, b) => a.execution - b.execution).at(-1);
  return last && { execution: last.execution, closed: last.close !== undefined, reserved: nothing };
}

export function triedSnapshots(own: AttemptTables, step: number, index: number): string[] {
  const ran = [...own.toolTries.values()].filter(
    (row) => row.step === step && row.index === index && row.close?.outcome !== 'not_run',
  );
  return [...new Set(ran.flatMap(({ snapshot }) => snapshot ?? []))];
}

/** The version that the attempt was started with where none is named. */
export function contractOf(tables: Tables, { tenant, id, key }: AttemptRef, version?: number): Contract {
  if (version === undefined) return attemptTables(tables, key).contract;
  const found = tables.contracts.get(`${tenant}/${taskOf(id)}`)?.[version - 1];
  if (!found) throw new Error(`${id} has no contract ${version}.`);
  return found.contract;
}

export function costOf(tables: Tables, tenant: string, sinceMs: number): number {
  const own = [...tables.attempts.values()].filter(({ head }) => head.row.ref.tenant === tenant);
  const tries = own.flatMap(({ modelTries }) => [...modelTries.values()]).filter(({ openedAt }) => openedAt >= sinceMs);
  return tries.reduce((sum, { close, reserved }) => sum + (close?.usage ?? reserved).costMicroUsd, 0);
}

export function unobservedActions(own: AttemptTables): { index: number; tool: string }[] {
  return [...own.actions.values()]
    .filter(({ step, index }) => step === own.head.row.step && !own.observations.has(placeKey(step, index)))
    .map(({ index, tool }) => ({ index, tool }))
    .sort((a, b) => a.index - b.index);
}

export function newestTaskState(own: AttemptTables): unknown {
  return own.taskStates.get(Math.max(...own.taskStates.keys()))?.body;
}

export function evidenceOf(own: AttemptTables, candidate: number): EvidenceRow[] {
  return [...own.evidence.values()]
    .filter((row) => row.candidate === candidate)
    .map(({ criterion, met, body }) => ({ criterion, met, body }));
}

export const newestCandidate = (own: AttemptTables) =>
  Math.max(0, ...[...own.evidence.values()].map(({ candidate }) => candidate));

/** Steps of the record with their calls, ascending, both ends included. */
export function stepsOf(own: AttemptTables, from: number, upto: number): ViewRows['steps'] {
  const steps = [...own.steps.values()].filter(({ step }) => step >= from && step <= upto);
  return steps
    .sort((a, b) => a.step - b.step)
    .map(({ step, body }) => ({
      step,
      body,
      calls: [...own.actions.values()]
        .filter((action) => action.step === step)
        .sort((a, b) => a.index - b.index)
        .map(({ index, callId, tool, args }) => ({
          callId,
          tool,
          args,
          output: own.observations.get(placeKey(step, index))?.body.text ?? null,
        })),
    }));
}

const newestFirst = (a: EffectRecord, b: EffectRecord) =>
  b.step - a.step || b.index - a.index || b.generation - a.generation;

export function standingOf(tables: Tables, own: AttemptTables, effects: readonly EffectRecord[]): Standing {
  const inPhase = (...phases: string[]) => effects.filter(({ phase }) => phases.includes(phase)).sort(newestFirst);
  return {
    evidence: evidenceOf(own, newestCandidate(own)).map(({ criterion, met }) => ({ criterion, met })),
    effects: [
      ...inPhase('SENT', 'UNKNOWN'),
      ...inPhase('COMMITTED', 'COMPENSATION_FAILED').slice(0, committedShownMax + 1),
    ]
      .sort(newestFirst)
      .map(({ step, index, phase }) => ({ step, index, phase })),
    jobs: [...own.jobs.values()].filter(isRunning).map(({ step, index, handle }) => ({
      ...{ step, index, handle },
      tool: own.actions.get(placeKey(step, index))?.tool ?? '',
    })),
    children: [...own.children.values()]
      .map(({ step, index, child }) => ({ step, index, row: attemptTables(tables, child).head.row }))
      .filter(({ row }) => !row.ended)
      .map(({ row, ...place }) => ({ ...place, child: row.ref.id })),
    projection: Math.max(0, ...own.projections.keys()),
    whole: wholeCheckpoint(own),
  };
}

export function newestCheckpoint(own: AttemptTables): StoredCheckpoint | undefined {
  if (own.checkpoints.size === 0) return undefined;
  const n = Math.max(...own.checkpoints.keys());
  const body = own.checkpoints.get(n);
  const like = leansOn(body);
  return { n, body, base: like === undefined ? null : own.checkpoints.get(like) };
}

function wholeCheckpoint(own: AttemptTables): Standing['whole'] {
  const newest = newestCheckpoint(own);
  if (!newest) return null;
  const n = leansOn(newest.body) ?? newest.n;
  return { n, body: own.checkpoints.get(n) };
}

export function readView(own: AttemptTables): Omit<ViewRows, 'waiting' | 'lastTest'> {
  const newest = own.projections.get(Math.max(...own.projections.keys()));
  const uptoStep = newest?.upto_step ?? 0;
  return {
    attempt: { ...own.head.row },
    projection: newest ? { ordinal: newest.ordinal, uptoStep, body: newest.body } : null,
    counted: newestCount(own),
    steps: stepsOf(own, uptoStep + 1, Number.POSITIVE_INFINITY),
    inputs: [...own.inputs.values()]
      .filter(({ kind, after_step }) => kind === 'message' || after_step === 0 || after_step > uptoStep)
      .sort((a, b) => a.ordinal - b.ordinal)
      .map(({ ordinal, after_step, kind, body }) => ({ ordinal, afterStep: after_step, kind, text: body.text })),
    lastInput: Math.max(0, ...own.inputs.keys()),
    taskState: newestTaskState(own) ?? null,
  };
}

/** Prompt tokens of the newest proposal that the provider counted. */
function newestCount(own: AttemptTables): ViewRows['counted'] {
  const answered = [...own.modelTries.values()].filter(
    ({ purpose, close }) => purpose === 'step' && close?.outcome === 'answered' && close.usage.estimated === undefined,
  );
  const last = answered.sort((a, b) => a.step - b.step || a.try - b.try).at(-1);
  if (!last?.close) return null;
  const { model, reserved, close } = last;
  return { model, reserved: reserved.inputTokens, reported: close.usage.inputTokens };
}

export const otherExecutions = (tables: Tables, own: AttemptTables, n: number, now: number): number =>
  [...own.executions].filter(([other, execution]) => other !== n && isLive(tables, execution, now)).length;
