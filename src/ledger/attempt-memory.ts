/**
 * What a call is judged by that earlier moves left: what the calls before it showed (R7), and the task state.
 *
 *   I1  A transaction that adds a try, an observation with a hash or a plan writes an event, and so does whoever takes a
 *       message or installs a projection. So what was seen at a sequence holds as long as the attempt, locked, has that
 *       sequence, whoever works on it.
 *   I2  A row of `tool_tries` is added in its step, steps follow each other, and every action of a step has its observation
 *       before the next step has a try. So whoever lost track reads on from the last step seen, and a step costs the same
 *       at step 10 and at step 1,000.
 *   I3  Who never had track of an attempt reads its newest `rememberedSteps`: an older call may be forgotten by one process
 *       and known to another, which only ever lets a call pass.
 */
import type { PoolClient } from 'pg';
import type { Inserts } from '../activities/ledger-port';
import { planDone, readTaskState } from '../domain/context/task-state';
import type { Trail } from '../domain/progress/trail';
import { jsonParam } from './json';
import { readRecent } from './recent-rows';
import { TrailReader } from './trail-reader';

export interface Recent {
  readonly sequence: number;
  readonly taskState: unknown;
  readonly trail: Trail;
}

/** Rows that a transaction wrote, in its order. */
export interface Told {
  readonly tried: readonly Inserts['tool_tries'][];
  /** Earlier tries that were marked as sent, or not. */
  readonly sends: readonly { readonly step: number; readonly index: number; readonly sent: boolean }[];
  readonly observed: Inserts['observations'][];
  readonly plans: Inserts['task_states'][];
  readonly inputs: Inserts['inputs'][];
  readonly projections: Inserts['projections'][];
}

/** Attempts that are kept: more than one worker advances at once on one machine; some 100 KB each. */
const attemptsKeptMax = 64;
/** Steps that who never had track of an attempt looks back on: more than are ever shown, and read in some ms. */
const rememberedSteps = 500;

interface Kept extends Recent {
  readonly reader: TrailReader;
}

export class AttemptMemory {
  /** The one used last is the newest entry. */
  private readonly kept = new Map<number, Kept>();

  /** The state at `sequence`, which the caller holds the attempt's lock at: from memory where nobody went on since. */
  async recall(client: PoolClient, attempt: number, sequence: number, step: number): Promise<Recent> {
    const known = this.kept.get(attempt);
    if (known?.sequence === sequence) return known;
    const from = Math.max(known?.reader.step ?? 0, step - rememberedSteps);
    const rows = await readRecent(client, attempt, from);
    const reader = known?.reader ?? new TrailReader();
    reader.readOn(rows);
    return this.keep(attempt, { sequence, taskState: rows.taskState, trail: reader.trail, reader });
  }

  /** After the commit of a transaction that found the attempt at `from` and left it at `to`. */
  note(attempt: number, from: number, to: number, told: Told): void {
    const known = this.kept.get(attempt);
    if (known?.sequence !== from || to === from) return;
    const { reader } = known;
    for (const { kind, after_step } of told.inputs) if (kind === 'message') reader.heard(after_step);
    for (const { step } of told.projections) reader.compacted(step);
    for (const row of told.tried) reader.tried(row);
    for (const send of told.sends) reader.sent(send);
    for (const row of told.observed) reader.observed(row);
    for (const { body } of told.plans) reader.trail.planned(planDone(readTaskState(body)));
    const plan = told.plans.at(-1);
    const taskState: unknown = plan ? JSON.parse(jsonParam(plan.body)) : known.taskState;
    this.keep(attempt, { sequence: to, taskState, trail: reader.trail, reader });
  }

  private keep(attempt: number, recent: Kept): Recent {
    this.kept.delete(attempt);
    this.kept.set(attempt, recent);
    const [oldest] = this.kept.keys();
    if (this.kept.size > attemptsKeptMax && oldest !== undefined) this.kept.delete(oldest);
    return recent;
  }
}
