import { insertMessage } from '../../src/ledger/inbox';
import { type ActivityWorld, activityWorld } from '../support/activity-world';
import { AttemptDriver } from '../support/attempt-driver';
import { brokenInvariants } from '../support/ledger-invariants';
import { eventTypes, observations, rowsOf, toolTries } from '../support/ledger-rows';
import { ok, tool } from '../support/test-tools';

let world: ActivityWorld;
let runs = 0;
const look = { tool: 'look', args: { at: 'a' } };
const plan = (id: string) => ({
  tool: 'update_plan',
  args: { steps: [{ id, title: `Step ${id}`, status: 'doing' }] },
});
beforeAll(async () => {
  const counted = (name: string, effect: 'none' | 'idempotent') =>
    tool({
      name,
      effect,
      run: () => {
        runs += 1;
        return ok('The same as ever.');
      },
    });
  const flaky = tool({
    name: 'flaky',
    run: () => {
      runs += 1;
      if (runs > 1) return ok('At last.');
      const error = { code: 'BUSY', message: 'Not now.', retryable: true, suggested_action: 'Wait.' };
      return { ok: false, failure: { class: 'tool_transient', code: 'BUSY' }, error };
    },
  });
  world = await activityWorld(
    {
      attempts: {
        planned: { 1: { calls: [plan('a')] }, 2: { calls: [look] }, 3: { calls: [plan('b')] }, 4: { calls: [look] } },
        'at-once': Object.fromEntries([1, 2, 3, 4, 5].map((step) => [step, { calls: Array(5).fill(look) }])),
      },
      entries: [
        { attempt: 'writes', from: 1, calls: [{ tool: 'touch', args: { at: 'a' } }] },
        { attempt: 'flaky', from: 1, calls: [{ tool: 'flaky' }] },
        { attempt: 'stamped', from: 1, text: 'Once more, differently.', calls: [{ tool: 'stamped' }] },
        { attempt: 'counts', from: 1, calls: [{ tool: 'counts' }] },
        { attempt: 'polls', from: 1, calls: [{ tool: 'poll' }] },
        { attempt: 'down', from: 1, calls: [{ tool: 'down' }] },
        ...Array.from({ length: 6 }, (_, n) => [
          { attempt: 'renamed', from: 2 * n + 1, to: 2 * n + 1, calls: [plan(`name-${n}`)] },
          { attempt: 'renamed', from: 2 * n + 2, to: 2 * n + 2, calls: [look] },
        ]).flat(),
        ...Array.from({ length: 10 }, (_, n) => ({
          attempt: 'files',
          from: n + 1,
          to: n + 1,
          calls: [{ tool: 'look', args: { at: `module-${n}/LICENSE` } }],
        })),
        ...[
          'First, which one is it',
          'tell me which one it is',
          'which of them, now',
          'I ask which one again',
          'so which is it',
        ].map((question, n) => ({
          attempt: 'reworded',
          from: n + 1,
          to: n + 1,
          calls: [{ tool: 'ask', args: { question } }],
        })),
        { from: 1, calls: [look] },
      ],
    },
    [
      flaky,
      counted('look', 'none'),
      counted('touch', 'idempotent'),
      answering(
        'stamped',
        (n) => `[${new Date(n * 1e9).toISOString()}] request_id=${n} still pending, took ${n * 7} ms`,
      ),
      answering('counts', (n) => `${n} of 40 done`),
      { ...answering('poll', () => 'pending'), polling: { limit: 6 } },
      answering('ask', () => 'It is the third of them, as the manual says on its second page. '.repeat(4)),
      tool({
        name: 'down',
        run: () => {
          runs += 1;
          const error = { code: 'AWAY', message: 'Away.', retryable: false, suggested_action: 'Go on.' };
          return { ok: false, failure: { class: 'environment_drift', code: 'AWAY' }, error };
        },
      }),
    ],
  );
});
function answering(name: string, answer: (n: number) => string) {
  return tool({
    name,
    run: () => {
      runs += 1;
      return ok(answer(runs));
    },
  });
}
beforeEach(() => {
  runs = 0;
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

/** One error of a tool is the last: what the ladder refuses must be none. */
async function begin(task: string, limits = { maxSameToolErrors: 1 }): Promise<AttemptDriver> {
  return new AttemptDriver(await world.worker(), await world.attempt({ task, limits }));
}
async function repeats(attempt: AttemptDriver): Promise<number[]> {
  const rows = await rowsOf<{ repeats: number }>(
    world.pool,
    attempt.ref,
    `select (payload ->> 'repeats')::int as repeats from events where attempt = $1 and type = 'loop_warning' order by sequence`,
  );
  return rows.map((row) => row.repeats);
}

test.each(['loops', 'writes'])(
  'R7.3 a repeated call (%s) is recorded, then warned of, then not run, then the end of the attempt',
  async (task) => {
    const attempt = await begin(task);
    const answers = [];
    for (let call = 1; call <= 5; call += 1) answers.push((await attempt.stepWithOneAction()).answer);

    expect(answers).toEqual([
      { kind: 'observed', ok: true },
      { kind: 'observed', ok: true },
      { kind: 'observed', ok: true },
      { kind: 'observed', ok: false },
      { kind: 'observed', ok: false, loop: true },
    ]);
    expect(runs).toBe(3);
    const seen = await observations(world.pool, attempt.ref);
    expect(seen.map(({ text }) => /LOOP_WARNING|REPLAN_REQUIRED|LOOP_DETECTED/.exec(text)?.[0])).toEqual([
      undefined,
      undefined,
      'LOOP_WARNING',
      'REPLAN_REQUIRED',
      'LOOP_DETECTED',
    ]);
    expect(seen[2]?.text).toContain('The same as ever.');
    expect(await repeats(attempt)).toEqual([1, 2, 3, 4]);
    const tries = await toolTries(world.pool, attempt.ref);
    expect(tries.map(({ outcome, failure }) => failure ?? outcome)).toEqual([
      'ok',
      'ok',
      'ok',
      'REPLAN_REQUIRED',
      'LOOP_DETECTED',
    ]);
    expect(
      await rowsOf(world.pool, attempt.ref, 'select sent from tool_tries where attempt = $1 order by step'),
    ).toEqual([1, 2, 3, 4, 5].map((call) => ({ sent: task === 'writes' && call <= 3 })));
    expect((await eventTypes(world.pool, attempt.ref)).filter((type) => type === 'action_started')).toHaveLength(3);
  },
);

test('R7.1 the same call under another step of the plan is no repeat', async () => {
  const attempt = await begin('planned');
  for (let step = 1; step <= 4; step += 1) await attempt.stepWithOneAction();
  expect(await repeats(attempt)).toEqual([]);
  expect(runs).toBe(2);
});

test('R7.3 a step of the plan that is renamed before each call does not hide that it repeats itself', async () => {
  const { attempt, answers } = await stepsOf('renamed', 10);
  expect(answers.at(-1)).toEqual({ kind: 'observed', ok: false, loop: true });
  expect(await warnings(attempt)).toEqual(['repeated warn', 'repeated replan', 'repeated end']);
  expect(runs).toBe(3);
});

test('R7.3 five equal calls in one proposal are no loop before the model was shown a rung', async () => {
  const attempt = await begin('at-once');
  const codes = [];
  for (let step = 1; step <= 5; step += 1) {
    const answers = [];
    for (const action of await attempt.actions()) answers.push((await attempt.act(action)).answer);
    codes.push([...new Set(answers.map((answer) => JSON.stringify(answer)))].join());
  }
  const [fine, refused, ended] = [
    { kind: 'observed', ok: true },
    { kind: 'observed', ok: false },
    { kind: 'observed', ok: false, loop: true },
  ].map((answer) => JSON.stringify(answer));
  expect(codes).toEqual([fine, fine, fine, refused, ended]);
  expect(runs).toBe(15);
});

test('R7.1 the same call in a changed workspace is no repeat', async () => {
  const attempt = await begin('changed');
  await attempt.stepWithOneAction();
  await world.pool.query(`update attempts set snapshot = 'another' where key = $1`, [attempt.ref.key]);
  await attempt.stepWithOneAction();
  expect(await repeats(attempt)).toEqual([]);
});

test('R8.5 a second try of one action is no repeat of it', async () => {
  const attempt = await begin('flaky');
  const [action] = await attempt.actions();
  if (!action) throw new Error('No action.');

  expect((await attempt.act(action)).answer).toMatchObject({ kind: 'failed' });
  expect((await attempt.act(action, { tryNumber: 2 })).answer).toEqual({ kind: 'observed', ok: true });

  expect(await repeats(attempt)).toEqual([]);
});

async function stepsOf(task: string, count: number, limits?: { maxSameToolErrors: number }) {
  const attempt = await begin(task, limits);
  const answers = [];
  for (let step = 1; step <= count; step += 1) answers.push((await attempt.stepWithOneAction()).answer);
  return { attempt, answers };
}
const warnings = (attempt: AttemptDriver) =>
  rowsOf<{ payload: { intervention: string; kind: string; repeats: number } }>(
    world.pool,
    attempt.ref,
    `select payload from events where attempt = $1 and type = 'loop_warning' order by sequence`,
  ).then((rows) => rows.map(({ payload: { intervention, kind } }) => `${kind} ${intervention}`));

test('R7.1 times, durations and ids in each result do not hide a loop, nor do other words around it', async () => {
  const { attempt, answers } = await stepsOf('stamped', 5);
  expect(answers.at(-1)).toEqual({ kind: 'observed', ok: false, loop: true });
  expect(runs).toBe(3);
  expect(await warnings(attempt)).toEqual(['repeated record', 'repeated warn', 'repeated replan', 'repeated end']);
});

test('R7.2 a call that answers something else each time is no loop', async () => {
  const { attempt, answers } = await stepsOf('counts', 20);
  expect(answers.every((answer) => answer.kind === 'observed' && answer.ok)).toBe(true);
  expect(await warnings(attempt)).toEqual(['repeated record']);
});

test('R7.3 a polling tool is asked as often as it declares, and then climbs the ladder', async () => {
  const { attempt, answers } = await stepsOf('polls', 11);
  expect(answers.slice(0, 9).every((answer) => answer.kind === 'observed' && answer.ok)).toBe(true);
  expect(answers.at(-1)).toMatchObject({ loop: true });
  expect(await warnings(attempt)).toEqual(['repeated record', 'repeated warn', 'repeated replan', 'repeated end']);
  expect(runs).toBe(9);
});

test('R8.1 a service that is away is no loop of the model’s', async () => {
  const { attempt } = await stepsOf('down', 8, { maxSameToolErrors: 100 });
  expect(runs).toBe(8);
  expect(await warnings(attempt)).toEqual([]);
});

test('R7.1 other files with the same content are other calls, and only many of them in a row are warned of', async () => {
  const { attempt, answers } = await stepsOf('files', 8);
  expect(answers.every((answer) => answer.kind === 'observed' && answer.ok)).toBe(true);
  expect(await warnings(attempt)).toEqual([]);
});

test('R7.3 a question put in other words, with the same answer, is a loop', async () => {
  const { attempt, answers } = await stepsOf('reworded', 5);
  expect(answers.at(-1)).toMatchObject({ loop: true });
  expect(await warnings(attempt)).toEqual(['reworded record', 'reworded warn', 'reworded replan', 'reworded end']);
});

test('R7.3 a word of the user begins the count anew: who is told to look again may', async () => {
  const { attempt } = await stepsOf('told', 3);
  expect(await warnings(attempt)).toEqual(['repeated record', 'repeated warn']);
  await insertMessage(world.pool, attempt.ref, { id: 'again', kind: 'say', body: { text: 'Look again.' } });
  for (let step = 1; step <= 3; step += 1) await attempt.stepWithOneAction();
  expect(runs).toBe(6);
});

test('R7.1 what a warning says is no part of the answer that it stands beside', async () => {
  const { attempt } = await stepsOf('warned', 3);
  const rows = await rowsOf<{ hash: string; text: string }>(
    world.pool,
    attempt.ref,
    `select encode(result_hash, 'hex') as hash, body ->> 'text' as text from observations where attempt = $1 order by step`,
  );
  expect(new Set(rows.map(({ hash }) => hash)).size).toBe(1);
  expect(rows[2]?.text).toContain('LOOP_WARNING');
});
