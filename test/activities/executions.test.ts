import { ExecutionLostError } from '../../src/activities/errors';
import { Executions } from '../../src/activities/executions';
import type { Answered } from '../../src/protocol/calls';

const answer: Answered = { answer: { kind: 'none' }, acked: 0 };

/** One execution whose end the test decides, with how often it began. */
function world() {
  const executions = new Executions(() => 'lease');
  let begun = 0;
  let finish: (answered: Answered) => void = () => undefined;
  const join = (signal: AbortSignal, move = 'm1') =>
    executions.join(move, `id-${begun}`, signal, (newest) => {
      begun += 1;
      return new Promise<Answered>((resolve, reject) => {
        finish = resolve;
        newest.addEventListener('abort', () => reject(newest.reason));
      });
    });
  return { executions, join, begun: () => begun, finish: () => finish(answer) };
}

test('M9 a repeated call joins the running execution, and a later one begins another', async () => {
  const { join, begun, finish, executions } = world();
  const both = [join(new AbortController().signal), join(new AbortController().signal)];
  expect(executions.ids()).toEqual(['id-0']);
  finish();
  expect(await Promise.all(both)).toEqual([answer, answer]);
  expect([begun(), executions.ids()]).toEqual([1, []]);

  const later = join(new AbortController().signal);
  finish();
  await later;
  expect(begun()).toBe(2);
});

test('M9 the newest call stops the execution that it joined', async () => {
  const { join } = world();
  const newest = new AbortController();
  const both = [join(new AbortController().signal), join(newest.signal)];
  newest.abort(new Error('cancelled'));
  await expect(both[1]).rejects.toThrow('cancelled');
  await expect(both[0]).rejects.toThrow(ExecutionLostError); // it asked for nothing
});

test('M9 a call that another has joined stops nothing any more', async () => {
  const { join, finish } = world();
  const zombie = new AbortController();
  const both = [join(zombie.signal), join(new AbortController().signal)];
  zombie.abort(new Error('heartbeat lost'));
  finish();
  expect(await Promise.all(both)).toEqual([answer, answer]);
});

test('M5 a call that is stopped before it joins stops what it joins', async () => {
  const { join } = world();
  const first = join(new AbortController().signal);
  const second = join(AbortSignal.abort(new Error('cancelled')));
  await expect(first).rejects.toThrow(ExecutionLostError);
  await expect(second).rejects.toThrow('cancelled');
});
