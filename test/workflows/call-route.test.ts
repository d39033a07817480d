import { TimeoutFailure, TimeoutType } from '@temporalio/common';
import type { Answered } from '../../src/protocol/calls';
import { hostTaskQueue } from '../../src/protocol/ids';
import { commit, settle, verify } from '../../src/workflows/calls/numbered';
import type { Plan } from '../../src/workflows/calls/plan';
import type { Invocation } from '../../src/workflows/host';
import { carryOver } from '../../src/workflows/run/carry-over';
import { openRun, type Run } from '../../src/workflows/run/run';
import { decide } from './support/decide';
import { FakeLedger } from './support/fake-ledger';
import { codeChange, input } from './support/inputs';

/** A run whose calls end one after the other as listed, and how each was sent. */
async function runOf(hosts: 'many' | undefined, ...ends: (Answered | Error)[]) {
  const begun = input({ ...codeChange, ...(hosts && { hosts }) });
  const { run: opened } = await decide(begun, new FakeLedger({}), []);
  const plans: Plan[] = [];
  const invoke = (_kind: unknown, _call: unknown, plan: Plan): Invocation<never> => {
    const end = ends[plans.length];
    plans.push(plan);
    if (end === undefined) throw new Error('One call more than listed');
    return { answered: end instanceof Error ? Promise.reject(end) : Promise.resolve(end as never), abort: () => {} };
  };
  const run: Run = { ...opened, host: { ...opened.host, invoke } };
  return { run, plans, queues: () => plans.map(({ queue }) => queue) };
}
const answered = (host?: string): Answered => ({
  answer: { kind: 'interrupted' },
  acked: 0,
  ...(host !== undefined && { host }),
});
const notTaken = new TimeoutFailure('', undefined, TimeoutType.SCHEDULE_TO_START);

test('M9 each call that needs the worktree goes where the last answer says that it is, and the next run knows it too', async () => {
  const { run, plans, queues } = await runOf(
    'many',
    answered('one'),
    answered('one'),
    notTaken,
    answered('two'),
    answered('two'),
  );
  await verify(run, 'tests');
  await verify(run, 'tests');
  await commit(run);
  await settle(run);

  expect(queues()).toEqual([undefined, hostTaskQueue('one'), hostTaskQueue('one'), undefined, hostTaskQueue('two')]);
  expect(plans.at(-1)?.lane).toBe('regular');
  const next = carryOver(run);
  expect(openRun(next, run.host).workspaceHost).toBe('two');
});

test('M3 a run of one host sends nothing to a host, whatever answers say', async () => {
  const { run, plans, queues } = await runOf(undefined, answered('one'), answered());
  await verify(run, 'tests');
  await settle(run);
  expect(queues()).toEqual([undefined, undefined]);
  expect(plans.at(-1)?.lane).toBe('local');
});
