import { emptyTimeline, withEvent } from '../../console/src/timeline/timeline';
import type { WireEvent } from '../../src/protocol/wire-event';

let sequence = 0;
const event = (step: number, type: WireEvent['event_type'], payload: object, at = sequence * 100): WireEvent => {
  sequence += 1;
  return {
    event_id: `t/1/m${sequence}.0`,
    thread_id: 'default/1',
    attempt_id: 't/1',
    turn_id: 't/1/t1',
    step_id: step === 0 ? null : `t/1/s${step}`,
    sequence,
    event_type: type,
    timestamp: new Date(at).toISOString(),
    payload: payload as WireEvent['payload'],
    causation_id: null,
    correlation_id: 'attempt/default/t/1',
    schema_version: 1,
    visibility_class: 'user',
    durability: 'persisted',
  };
};
const of = (...events: WireEvent[]) => events.reduce(withEvent, emptyTimeline).steps;
const answered = { stop: 'tool_calls', calls: 1, tokensIn: 10, tokensOut: 5, costMicroUsd: 7, try: 1 };

test('steps have what the model cost, and each action from its first try to its end', () => {
  const [step] = of(
    event(1, 'model_answered', answered, 1_000),
    event(1, 'action_started', { index: 0, tool: 'pay', try: 1 }, 1_100),
    event(1, 'tool_retry', { index: 0, code: 'LOST', try: 2 }, 1_200),
    event(1, 'action_started', { index: 0, tool: 'pay', try: 2 }, 1_300),
    event(1, 'action_finished', { index: 0, tool: 'pay', ok: false, code: 'REFUSED', bytes: 3 }, 1_500),
  );
  expect(step).toMatchObject({ step: 1, turn: 1, from: 1_000, to: 1_500, model: { tokensIn: 10, costMicroUsd: 7 } });
  expect(step?.actions).toEqual([
    {
      index: 0,
      tool: 'pay',
      from: 1_100,
      to: 1_500,
      tries: 2,
      ok: false,
      code: 'REFUSED',
      facts: ['tried again after LOST'],
    },
  ]);
});

test('what became of an action stands with it, whether an event names it by number or by id', () => {
  const [step] = of(
    event(2, 'approval_requested', { index: 1, tool: 'pay', binding: 'b', rule: 'payments', needed: 1, expiresAt: 1 }),
    event(2, 'approval_answered', { action: 't/1/s2.a1', answer: 'deny', by: 'ana', left: 0 }),
    event(2, 'action_denied', { index: 1, tool: 'pay', code: 'DENIED' }),
  );
  expect(step?.actions).toMatchObject([
    {
      index: 1,
      tool: 'pay',
      facts: ['asked for approval by rule payments', 'denied by ana', 'not let through: DENIED'],
    },
  ]);
});

test('what is about no action is a note, and an event that a newer version wrote is passed over', () => {
  const steps = of(
    event(0, 'workspace_ready', { base: 'a', snapshot: 'b', setupMs: 1 }),
    event(1, 'something_new' as WireEvent['event_type'], {}),
    event(1, 'paused', { state: 'SUSPENDED', reason: 'suspended' }),
    event(1, 'ended', { state: 'FAILED', reason: 'failed' }),
  );
  expect(steps.map(({ step, notes }) => [step, notes.map(({ text, tone }) => [text, tone])])).toEqual([
    [0, [['the workspace is ready', 'plain']]],
    [
      1,
      [
        ['waits: suspended', 'wait'],
        ['failed: failed', 'bad'],
      ],
    ],
  ]);
});
