import { type Audience, audiences, seenBy } from '../../src/protocol/audiences';
import { viewEvent } from '../../src/protocol/view-event';
import type { WireEvent } from '../../src/protocol/wire-event';

const types = Object.keys(seenBy) as (keyof typeof seenBy)[];
/** An event with every field that the table knows, each with its own name as value. */
function whole(type: keyof typeof seenBy, visibility: WireEvent['visibility_class'] = 'user'): WireEvent {
  const payload = Object.fromEntries(Object.keys(seenBy[type].fields).map((name) => [name, name]));
  return {
    event_id: 'repair/1/m1.0',
    thread_id: 'default/1',
    attempt_id: 'repair/1',
    turn_id: 'repair/1/t1',
    step_id: null,
    sequence: 1,
    event_type: type,
    timestamp: '2026-01-01T00:00:00.000Z',
    payload: payload as never,
    causation_id: null,
    correlation_id: 'attempt/default/repair/1',
    schema_version: 1,
    visibility_class: visibility,
    durability: 'persisted',
  };
}
const seen = (type: keyof typeof seenBy, audience: Audience) => {
  const view = viewEvent(whole(type), audience);
  return view && Object.keys(view.payload);
};

test.each(types)('R10.4 each audience sees of %s what those before it see, and an auditor all of it', (type) => {
  let before: readonly string[] = [];
  for (const audience of audiences) {
    const fields = seen(type, audience) ?? [];
    expect(fields).toEqual(expect.arrayContaining([...before]));
    before = fields;
  }
  expect(seen(type, 'auditor')).toEqual(Object.keys(seenBy[type].fields));
});

test('R10.4 a model sees of its attempt what it did itself, and nothing of people, costs, rules and machines', () => {
  const views = types.flatMap((type) => {
    const fields = seen(type, 'model');
    return fields ? [`${type}: ${fields.join(' ')}`] : [];
  });
  expect(views).toMatchInlineSnapshot(`
[
  "attempt_created: contractVersion",
  "workspace_ready: base snapshot",
  "action_started: index tool",
  "action_finished: index tool ok code snapshot",
  "action_denied: index tool code",
  "job_submitted: index tool",
  "job_ended: action tool as",
  "child_started: index child",
  "child_ended: action child state reason",
  "goal_revised: contractVersion",
  "loop_warning: index tool repeats intervention kind snapshot",
  "repair_requested: candidate",
  "ended: state reason",
]
`);
});

test('R10.4 a user sees no rule, no policy, no key of an effect and no read of protected data', () => {
  const fields = types.flatMap((type) => (seen(type, 'user') ?? []).map((field) => `${type}.${field}`));
  expect(fields.filter((name) => /\.(rule|policy|effect|argsHash|channel)$/.test(name))).toEqual([]);
  expect(seen('protected_read', 'operator')).toBeUndefined();
});

test.each([
  ['operator', 'user'],
  ['auditor', 'operator'],
] as const)(
  'R10.4 an event that was written for %ss is not seen by a %s, whatever the table says',
  (visibility, audience) => {
    expect(viewEvent(whole('ended', visibility), audience)).toBeUndefined();
    expect(viewEvent(whole('ended', visibility), visibility)).toBeDefined();
  },
);

test('R10.4 a field that nobody here knows is seen by auditors alone', () => {
  const event = { ...whole('ended'), payload: { state: 'COMPLETED', secretly: 'x' } as never };
  expect(Object.keys(viewEvent(event, 'operator')?.payload ?? {})).toEqual(['state']);
  expect(Object.keys(viewEvent(event, 'auditor')?.payload ?? {})).toEqual(['state', 'secretly']);
});
