import { fingerprint, likeness, stepless } from '../../../src/domain/progress/fingerprint';
import { foundNothing } from '../../../src/domain/progress/found-nothing';
import type { Intervention } from '../../../src/domain/progress/intervention';
import { judgeCall } from '../../../src/domain/progress/ladder';
import { resultHash } from '../../../src/domain/progress/result-hash';
import { failingTests } from '../../../src/domain/progress/test-report';
import { Trail } from '../../../src/domain/progress/trail';
import type { RecordedCall, Recording } from './recorded-call';

export interface Judged {
  /** Calls that were warned of, refused or ended, where nothing was wrong. */
  readonly alarms: number;
  /** Repeats of the loop's first step up to the one that was not run, and to the one that ended it; undefined: it went on. */
  readonly refusedAt: number | undefined;
  readonly endedAt: number | undefined;
}

/** What the ladder would have said to each call of a recording. */
export function judgeRecording({ calls, loopFrom }: Recording): Judged {
  const trail = new Trail();
  const loopSteps = new Set<number>();
  let [step, alarms] = [0, 0];
  let refusedAt: number | undefined;
  for (const [at, call] of calls.entries()) {
    if (!call.beside) step += 1;
    if (call.planDone !== undefined) trail.planned(call.planDone);
    if (call.compacted) trail.compacted();
    const rung = judge(trail, call, step);
    if (loopFrom === undefined || at < loopFrom || call.aside) {
      if (isAlarm(rung)) alarms += 1;
      continue;
    }
    loopSteps.add(step);
    if (rung === 'replan') refusedAt ??= loopSteps.size - 1;
    if (rung === 'end') return { alarms, refusedAt, endedAt: loopSteps.size - 1 };
  }
  return { alarms, refusedAt, endedAt: undefined };
}

const isAlarm = (rung: Intervention) => rung === 'warn' || rung === 'replan' || rung === 'end';

/** One call, judged and seen as `act` does it. */
function judge(trail: Trail, call: RecordedCall, step: number): Intervention {
  const { tool, args, environment, planStep, answer, polling, failure, incidental = [] } = call;
  const fingerprinted = { tool, args, environment, planStep, outside: false, incidental };
  const print = fingerprint(fingerprinted);
  const alike = likeness(fingerprinted);
  const inNoStep = stepless(fingerprinted);
  const { rung, repeats } = judgeCall({
    repeats: trail.repeats(print, step),
    reworded: trail.repeats(alike, step),
    restepped: trail.repeatsInAnyStep(inNoStep ?? print, step),
    stagnation: trail.stagnation(step),
    ...(polling !== undefined && { pollingLimit: polling }),
  });
  trail.saw({
    step,
    print,
    likeness: alike,
    stepless: inNoStep,
    environment,
    snapshot: call.snapshot ?? null,
    sent: call.effect !== 'none',
    stopped: rung === 'replan' || rung === 'end',
    poll: polling !== undefined && repeats <= polling,
    ok: failure === undefined,
    answer: resultHash(tool, answer),
    tokens: Math.ceil(Buffer.byteLength(answer) / 4),
    foundNothing: failure === undefined && foundNothing(answer),
    failureClass: failure ?? null,
    failingTests: failure === undefined ? failingTests(answer) : null,
  });
  return rung;
}
