import { longCall } from '../../src/cli/long-call';

const started = { type: 'action_started', payload: { index: 1, tool: 'run_command', try: 1 } } as const;
const finished = { type: 'action_finished', payload: { index: 1, tool: 'run_command', ok: true, bytes: 0 } } as const;

test('a call that runs long is told once; one that is over is not', () => {
  const call = longCall();
  expect(call.due(0)).toBeUndefined();
  call.see(started, 3, 1_000);
  expect(call.due(2_999)).toBeUndefined();
  expect(call.due(3_000)).toEqual({ step: 3, index: 1, tool: 'run_command' });
  expect(call.due(9_000)).toBeUndefined();

  call.see(started, 4, 10_000);
  call.see(finished, 4, 10_001);
  expect(call.due(20_000)).toBeUndefined();
});
