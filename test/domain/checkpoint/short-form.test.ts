import { defaultLimits, emptyAccount } from '../../../src/domain/budget/account';
import type { Checkpoint } from '../../../src/domain/checkpoint/checkpoint';
import { readCheckpoint } from '../../../src/domain/checkpoint/read-checkpoint';
import { leansOn, restore, shorten } from '../../../src/domain/checkpoint/short-form';

const base: Checkpoint = {
  v: 3,
  at: 'pause',
  thread: 7,
  turn: 1,
  step: 9,
  state: 'WAITING_FOR_USER',
  reason: 'waiting_for_user',
  plan: { steps: [{ id: 'pay', title: 'Pay', status: 'doing' }] },
  unmet: ['paid'],
  context: { projection: 0, contract: 1, input: 1 },
  versions: { code: '1', policy: 'p', environment: null, models: { m: 'a' }, tools: { refund: 'r' } },
  effects: { committed: ['s3.a0'], more: false, uncertain: [] },
  elsewhere: { jobs: [], children: [] },
  budget: { used: { ...emptyAccount, turns: 1 }, limits: { ...defaultLimits } },
  base: 'b',
  snapshot: 'c',
};
const claim = (change: Partial<Checkpoint> = {}): Checkpoint => ({
  ...base,
  at: 'effect',
  step: 12,
  state: 'EXECUTING_TOOL',
  reason: null,
  effects: { committed: ['s10.a0'], more: true, uncertain: [] },
  budget: { ...base.budget, used: { ...base.budget.used, toolCalls: 4, tokens: 900 } },
  ...change,
});
/** As a row has it. */
const stored = (checkpoint: Checkpoint): unknown =>
  JSON.parse(JSON.stringify(shorten(checkpoint, { n: 30, checkpoint: base })));
/** I2: what took effect before it is in the effect log. */
const read = (checkpoint: Checkpoint): Checkpoint => ({
  ...checkpoint,
  effects: { committed: [], more: true, uncertain: checkpoint.effects.uncertain },
});

test('R12.1 a claim that has most in common with the whole checkpoint before it is a fraction of it', () => {
  const short = stored(claim());
  expect(short).toEqual({
    v: 3,
    like: 30,
    step: 12,
    state: 'EXECUTING_TOOL',
    reason: null,
    used: [1, 4, 0, 900, 0, 0],
  });
  expect(leansOn(short)).toBe(30);
  expect(leansOn(base)).toBeUndefined();
});

test.each<[string, Partial<Checkpoint>]>([
  ['nothing but its step', {}],
  ['another plan', { plan: { steps: [{ id: 'pay', title: 'Pay', status: 'done' }] } }],
  ['no plan', { plan: null }],
  ['other versions', { versions: { ...base.versions, policy: 'q' } }],
  ['another view', { context: { projection: 2, contract: 2, input: 5 } }],
  ['other files', { snapshot: 'd' }],
  ['a child at work', { elsewhere: { jobs: [], children: [{ action: 's9.a0', child: 'c/1' }] } }],
  ['raised limits', { budget: { used: base.budget.used, limits: { ...defaultLimits, maxTurns: 90 } } }],
  ['errors of a tool', { budget: { ...base.budget, used: { ...emptyAccount, toolErrors: { refund: 2 } } } }],
  [
    'an effect that nobody can tell of',
    { effects: { committed: [], more: true, uncertain: [{ action: 's1.a0', phase: 'UNKNOWN' }] } },
  ],
])('R12.1 a short checkpoint with %s is read as the whole one that it was', (_what, change) => {
  const checkpoint = claim(change);
  expect(readCheckpoint({ body: stored(checkpoint), base: JSON.parse(JSON.stringify(base)) })).toEqual({
    ok: true,
    checkpoint: read(checkpoint),
  });
});

test('R12.1 one that leans on the first version of a document is read as well', () => {
  const { v: _v, at: _at, context, budget, base: baseCommit, plan, versions, thread: _t, ...rest } = base;
  const first = {
    ...rest,
    v: 1,
    heard: context.input,
    taskState: plan,
    account: budget.used,
    limits: budget.limits,
    baseCommit,
    effects: { committed: 1, uncertain: [] },
    models: ['m'],
    versions: { holdfast: versions.code },
    flow: 1,
  };
  const upcast = readCheckpoint({ body: first, base: null });
  if (!upcast.ok) throw new Error(upcast.why);
  const short = shorten(claim(), { n: 3, checkpoint: upcast.checkpoint });
  expect(readCheckpoint({ body: short, base: first })).toEqual({ ok: true, checkpoint: read(claim()) });
});

test('R12.1 a short one of the second version leans on a whole one of it, and what went on elsewhere is not known', () => {
  const { elsewhere: _none, ...rest } = base;
  const body = { ...Object(stored(claim())), v: 2 };
  expect(readCheckpoint({ body, base: { ...rest, v: 2 } })).toEqual({
    ok: true,
    checkpoint: { ...read(claim()), elsewhere: null },
  });
});

test.each([null, undefined, {}, stored(claim())])(
  'R12.2 one whose whole checkpoint is gone is no checkpoint: %j',
  (gone) => {
    expect(restore(stored(claim()), gone)).toBeUndefined();
    expect(readCheckpoint({ body: stored(claim()), base: gone })).toMatchObject({ ok: false });
  },
);
