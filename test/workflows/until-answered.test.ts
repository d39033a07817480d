import { ApplicationFailure, TimeoutFailure, TimeoutType } from '@temporalio/common';
import { type Answered, failureTypes } from '../../src/protocol/calls';
import { type Unanswered, untilAnswered } from '../../src/workflows/calls/until-answered';
import { lostExecutionsMax, outagePauseMinMs } from '../../src/workflows/limits';
import { activeMs, type Run } from '../../src/workflows/run/run';
import { decide } from './support/decide';
import { applicationFailure } from './support/fake-engine';
import { FakeLedger } from './support/fake-ledger';
import { input } from './support/inputs';

const away = () => applicationFailure(failureTypes.ledgerUnavailable);
const lost = () => applicationFailure(failureTypes.executionLost);
const answered: Answered = { answer: { kind: 'interrupted' }, acked: 0 };

/** Executions that end one after the other as listed, in a run that waits for its model; its clock moves by waits alone. */
async function executions(...ends: (Error | Answered)[]) {
  const { run: opened } = await decide(input(), new FakeLedger({}), []);
  let now = opened.host.now();
  const sleep = (ms: number) => {
    now += ms;
    return Promise.resolve();
  };
  const run: Run = { ...opened, host: { ...opened.host, now: () => now, sleep } };
  const startedAt = now;
  let sent = 0;
  const befores: (Unanswered | undefined)[] = [];
  const outcome = await untilAnswered(
    run,
    (before) => {
      befores.push(before);
      const end = ends[sent];
      sent += 1;
      if (end === undefined) throw new Error('One execution more than listed');
      return { answered: end instanceof Error ? Promise.reject(end) : Promise.resolve(end), abort: () => {} };
    },
    { abortable: true, lostMax: lostExecutionsMax },
  );
  return { outcome, sent, befores, waitedMs: now - startedAt, billedMs: activeMs(run) };
}

test('M2 R2.4 a ledger that is away is asked again without being counted, and the waits are billed to nobody', async () => {
  const outages = Array.from({ length: 2 * lostExecutionsMax }, away);
  const { outcome, sent, waitedMs, billedMs } = await executions(...outages, answered);

  expect(outcome).toEqual({ kind: 'answered', answered });
  expect(sent).toBe(outages.length + 1);
  expect(waitedMs).toBeGreaterThanOrEqual(outages.length * outagePauseMinMs);
  expect(billedMs).toBe(0);
});

test('M2 executions that are lost are counted, before an outage and after it', async () => {
  const { outcome, sent, billedMs } = await executions(lost(), away(), lost(), away(), lost(), answered);

  expect(outcome).toEqual({ kind: 'lost', code: 'EXECUTION_LOST' });
  expect(sent).toBe(5);
  expect(billedMs).toBeGreaterThan(0); // the pause before a lost call is repeated is the attempt's own time
});

test('M9 a call that nobody began, or that belongs to another host, is sent on at once and is not counted', async () => {
  const notTaken = () => new TimeoutFailure('', undefined, TimeoutType.SCHEDULE_TO_START);
  const elsewhere = () => ApplicationFailure.create({ type: failureTypes.elsewhere, details: ['one'] });
  const ends = Array.from({ length: lostExecutionsMax }, () => [notTaken(), elsewhere()]).flat();
  const { outcome, sent, waitedMs, befores } = await executions(...ends, answered);

  expect(outcome).toEqual({ kind: 'answered', answered });
  expect(sent).toBe(ends.length + 1);
  expect(waitedMs).toBe(0);
  expect(befores.slice(0, 3)).toEqual([undefined, { kind: 'not_taken' }, { kind: 'elsewhere', host: 'one' }]);
});
