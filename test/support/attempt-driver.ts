import { createAct } from '../../src/activities/act';
import { createCompact } from '../../src/activities/compact';
import type { ActivityDeps } from '../../src/activities/deps';
import { createRecord } from '../../src/activities/record';
import { createSettle } from '../../src/activities/settle';
import { createThink } from '../../src/activities/think';
import type { Answered, Call, CallArgs, Compacted, PlannedAction } from '../../src/protocol/calls';
import type { AttemptRef } from '../../src/protocol/ids';
import { callOf, never } from './activity-world';

type Beside = Partial<Omit<Call, 'ref' | 'n' | 'args'>> & { readonly signal?: AbortSignal };

/** Makes an attempt's calls one after the other as the workflow numbers them, on one worker's activities. */
export class AttemptDriver {
  n = 0;
  step = 0;
  turn = 1;

  constructor(
    readonly worker: ActivityDeps,
    readonly ref: AttemptRef,
  ) {}

  /** The same attempt, at the same number, on another worker. */
  on(worker: ActivityDeps): AttemptDriver {
    return Object.assign(new AttemptDriver(worker, this.ref), { n: this.n, step: this.step, turn: this.turn });
  }

  /** The next step's first try. */
  think(beside: Beside & { model?: number } = {}): Promise<Answered<'think'>> {
    this.step += 1;
    return this.thinkAgain(1, beside);
  }
  thinkAgain(
    tryNumber: number,
    { signal = never, model = 0, compacted, ...beside }: Beside & { model?: number; compacted?: Compacted } = {},
  ) {
    const args = { step: this.step, turn: this.turn, model, try: tryNumber, ...(compacted && { compacted }) };
    return createThink(this.worker)(callOf<'think'>(this.ref, ++this.n, args, beside), signal);
  }

  compact(
    tryNumber: number,
    {
      signal = never,
      mechanical,
      tight,
      rejected,
      ...beside
    }: Beside & Pick<CallArgs['compact'], 'mechanical' | 'tight' | 'rejected'> = {},
  ): Promise<Answered<'compact'>> {
    const how = { ...(mechanical && { mechanical }), ...(tight && { tight }), ...(rejected && { rejected }) };
    const args = { step: this.step, turn: this.turn, model: 0, try: tryNumber, ...how };
    return createCompact(this.worker)(callOf<'compact'>(this.ref, ++this.n, args, beside), signal);
  }

  act(action: PlannedAction, { signal = never, tryNumber = 1, ...beside }: Beside & { tryNumber?: number } = {}) {
    return createAct(this.worker)(this.actCall(action, ++this.n, tryNumber, beside), signal);
  }
  /** The number that was called last, once more. */
  actRepeated(action: PlannedAction, { signal = never, ...beside }: Beside = {}): Promise<Answered<'act'>> {
    return createAct(this.worker)(this.actCall(action, this.n, 1, beside), signal);
  }
  actCall(action: PlannedAction, n: number, tryNumber = 1, beside: Beside = {}): Call<'act'> {
    const { index, hash } = action;
    return callOf<'act'>(this.ref, n, { step: this.step, index, hash, try: tryNumber }, beside);
  }

  record(args: CallArgs['record'], { signal = never, ...beside }: Beside = {}): Promise<Answered<'record'>> {
    return createRecord(this.worker)(callOf<'record'>(this.ref, ++this.n, args, beside), signal);
  }
  settle({ signal = never, ...beside }: Beside = {}): Promise<Answered<'settle'>> {
    return createSettle(this.worker)(callOf<'settle'>(this.ref, ++this.n, {}, beside), signal);
  }

  /** A step with one action, to its observation. */
  async stepWithOneAction(): Promise<Answered<'act'>> {
    const [action] = await this.actions();
    if (!action) throw new Error(`Step ${this.step} has no action.`);
    return this.act(action);
  }
  /** The next step's actions. */
  async actions(beside: Beside = {}): Promise<readonly PlannedAction[]> {
    const { answer } = await this.think(beside);
    if (answer.kind !== 'proposal') throw new Error(`Step ${this.step} was answered with ${JSON.stringify(answer)}.`);
    return answer.actions;
  }
}
