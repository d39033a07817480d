/**
 * What a call is judged by that earlier moves left: calls by fingerprint, and the task state.
 *
 *   I1  A transaction that adds a try or a plan writes an event. So what was seen at a sequence holds as long as the
 *       attempt, locked, has that sequence, whoever works on it.
 *   I2  A row of `tool_tries` is added in its step, and steps follow each other. So whoever lost track reads on from the
 *       last step seen, and a step costs the same at step 10 and at step 1,000.
 */
import type { PoolClient } from 'pg';
import type { Inserts } from '../activities/ledger-port';
import { jsonParam } from './json';

export interface Recent {
  readonly sequence: number;
  readonly taskState: unknown;
  /** Places of the calls that had a fingerprint. */
  readonly calls: Map<string, Set<string>>;
  /** Highest step of a call. */
  readonly step: number;
}

type Try = Pick<Inserts['tool_tries'], 'step' | 'index' | 'fingerprint'>;

/** Attempts that are kept: more than one worker advances at once on one machine. */
const attemptsKeptMax = 64;
/** Fingerprints of one attempt that are kept, some 200 bytes each; a longer one is read anew each time. */
const callsKeptMax = 5_000;

const readQuery = `
  select (select body from task_states where attempt = $1 order by n desc limit 1) as "taskState",
    (select coalesce(json_agg(json_build_array(encode(fingerprint, 'hex'), step, index)), '[]') from tool_tries
     where attempt = $1 and step >= $2 and fingerprint is not null) as calls`;

export const placeOf = ({ step, index }: Pick<Try, 'step' | 'index'>) => `${step}.${index}`;

export class AttemptMemory {
  /** The one used last is the newest entry. */
  private readonly kept = new Map<number, Recent>();

  /** The state at `sequence`, which the caller holds the attempt's lock at: from memory where nobody went on since. */
  async recall(client: PoolClient, attempt: number, sequence: number): Promise<Recent> {
    const known = this.kept.get(attempt);
    if (known?.sequence === sequence) return known;
    const { rows } = await client.query<{ taskState: unknown; calls: [string, number, number][] }>({
      name: 'recent',
      text: readQuery,
      values: [attempt, known?.step ?? 0],
    });
    const read = rows[0]?.calls ?? [];
    const tried = read.map(([fingerprint, step, index]) => ({ fingerprint, step, index }));
    return this.keep(attempt, withTries({ sequence, taskState: rows[0]?.taskState }, known, tried));
  }

  /** After the commit of a transaction that found the attempt at `from` and left it at `to`. */
  note(
    attempt: number,
    from: number,
    to: number,
    wrote: { tried: readonly Try[]; plan?: Inserts['task_states'] | undefined },
  ): void {
    const known = this.kept.get(attempt);
    if (known?.sequence !== from || to === from) return;
    const taskState: unknown = wrote.plan ? JSON.parse(jsonParam(wrote.plan.body)) : known.taskState;
    this.keep(attempt, withTries({ sequence: to, taskState }, known, wrote.tried));
  }

  private keep(attempt: number, recent: Recent): Recent {
    this.kept.delete(attempt);
    if (recent.calls.size > callsKeptMax) return recent;
    this.kept.set(attempt, recent);
    const [oldest] = this.kept.keys();
    if (this.kept.size > attemptsKeptMax && oldest !== undefined) this.kept.delete(oldest);
    return recent;
  }
}

/** Adds to the map of the state before, which nobody looks at again: a copy would cost more with each step. */
function withTries(
  now: Pick<Recent, 'sequence' | 'taskState'>,
  before: Recent | undefined,
  tried: readonly Try[],
): Recent {
  const calls = before?.calls ?? new Map<string, Set<string>>();
  let step = before?.step ?? 0;
  for (const one of tried) {
    if (one.fingerprint === null) continue;
    const places = calls.get(one.fingerprint) ?? new Set<string>();
    calls.set(one.fingerprint, places.add(placeOf(one)));
    step = Math.max(step, one.step);
  }
  return { ...now, calls, step };
}
