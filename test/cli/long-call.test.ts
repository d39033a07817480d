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

test('R14.2 of calls that run side by side each that runs long is told, whichever began or ended beside it', () => {
  const call = longCall();
  const of = (index: number) => ({ payload: { index, tool: 'get', try: 1 } });
  call.see({ type: 'action_started', ...of(0) }, 1, 0);
  call.see({ type: 'action_started', ...of(1) }, 1, 10);
  call.see({ type: 'action_started', ...of(2) }, 1, 20);
  call.see({ type: 'message_taken', payload: { messageId: 'm', kind: 'say' } }, 1, 30);
  call.see({ type: 'action_finished', payload: { index: 1, tool: 'get', ok: true, bytes: 0 } }, 1, 40);
  expect(call.due(1_000)).toBeUndefined();
  expect(call.due(5_000)).toMatchObject({ index: 0 });
  expect(call.due(5_000)).toMatchObject({ index: 2 });
  expect(call.due(5_000)).toBeUndefined();
});
