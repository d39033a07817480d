import {
  currentPlanStep,
  planDone,
  planText,
  type TaskState,
  taskStateSchema,
} from '../../../src/domain/context/task-state';

const plan: TaskState = {
  steps: [
    { id: 'find', title: 'Find the cause', status: 'done' },
    { id: 'fix', title: 'Correct it', status: 'doing' },
    { id: 'docs', title: 'Tell the docs', status: 'dropped' },
    { id: 'test', title: 'Run all tests', status: 'pending' },
  ],
  note: 'The parser is right.',
};

test('R13.1 a plan is read back as it was written, step by step', () => {
  expect(planText(plan)).toBe(
    [
      '[x] find: Find the cause',
      '[>] fix: Correct it',
      '[-] docs: Tell the docs',
      '[ ] test: Run all tests',
      'Note: The parser is right.',
    ].join('\n'),
  );
});

test('R7.1 the plan step of a fingerprint is the one being done', () => {
  expect(currentPlanStep(plan)).toBe('fix');
  expect(currentPlanStep({ steps: [{ id: 'a', title: 'b', status: 'pending' }] })).toBe('');
  expect(currentPlanStep(undefined)).toBe('');
});

test('R7.2 done steps are counted', () => {
  expect(planDone(plan)).toBe(1);
  expect(planDone(undefined)).toBe(0);
});

test.each([
  ['no steps', { steps: [] }],
  ['an unknown key', { steps: plan.steps, mood: 'good' }],
  ['an unknown key in a step', { steps: [{ id: 'a', title: 'b', status: 'done', by: 'me' }] }],
  ['an unknown status', { steps: [{ id: 'a', title: 'b', status: 'started' }] }],
  ['the same id twice', { steps: [plan.steps[0], plan.steps[0]] }],
  ['51 steps', { steps: Array.from({ length: 51 }, (_, id) => ({ id: String(id), title: 'x', status: 'pending' })) }],
  ['an endless title', { steps: [{ id: 'a', title: 'x'.repeat(201), status: 'done' }] }],
])('R8.4 a plan with %s is refused', (_, args) => {
  expect(taskStateSchema.safeParse(args).success).toBe(false);
});

test('R8.4 a plan without a note is accepted', () => {
  expect(taskStateSchema.safeParse({ steps: plan.steps })).toEqual({ success: true, data: { steps: plan.steps } });
});
