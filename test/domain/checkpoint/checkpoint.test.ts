import { defaultLimits, emptyAccount } from '../../../src/domain/budget/account';
import { type Checkpoint, checkpointSchema } from '../../../src/domain/checkpoint/checkpoint';
import { readCheckpoint as readStored } from '../../../src/domain/checkpoint/read-checkpoint';

const readCheckpoint = (body: unknown) => readStored({ body, base: null });

const newest: Checkpoint = {
  v: 3,
  at: 'pause',
  thread: 7,
  turn: 2,
  step: 9,
  state: 'WAITING_FOR_USER',
  reason: 'waiting_for_user',
  plan: { steps: [{ id: 'fix', title: 'Fix it', status: 'doing' }] },
  unmet: ['tests'],
  context: { projection: 1, contract: 2, input: 4 },
  versions: { code: '1.2.0', policy: 'abc', environment: 'linux', models: { m: 'v1' }, tools: { read: '1' } },
  effects: { committed: ['s3.a0'], more: true, uncertain: [{ action: 's9.a0', phase: 'UNKNOWN' }] },
  elsewhere: {
    jobs: [{ action: 's8.a0', tool: 'run_report', handle: 'job-1' }],
    children: [{ action: 's9.a1', child: 'fix.1.s9a1/1' }],
  },
  budget: { used: emptyAccount, limits: { ...defaultLimits } },
  base: 'b0',
  snapshot: 'c1',
};

/** As the first version wrote it. */
const first = {
  v: 1,
  state: 'SUSPENDED',
  reason: 'budget_exceeded',
  turn: 1,
  step: 4,
  heard: 2,
  taskState: null,
  unmet: ['refunded'],
  account: { ...emptyAccount, turns: 1 },
  limits: defaultLimits,
  baseCommit: null,
  snapshot: null,
  effects: { committed: 2, uncertain: [{ action: 'refund/1/s4.a0', phase: 'SENT' }] },
  models: ['main', 'backup'],
  flow: 1,
  versions: { holdfast: '0.9.0' },
};

test('R12.1 a document is read as it was written', () => {
  expect(readCheckpoint(JSON.parse(JSON.stringify(newest)))).toEqual({ ok: true, checkpoint: newest });
});

test('R12.1 a document of the first version is read as the newest has it, and what it did not note is not known', () => {
  expect(readCheckpoint(first)).toEqual({
    ok: true,
    checkpoint: {
      v: 3,
      at: 'pause',
      thread: null,
      turn: 1,
      step: 4,
      state: 'SUSPENDED',
      reason: 'budget_exceeded',
      plan: null,
      unmet: ['refunded'],
      context: { projection: 0, contract: null, input: 2 },
      versions: { code: '0.9.0', policy: null, environment: null, models: { main: null, backup: null }, tools: null },
      effects: { committed: [], more: true, uncertain: [{ action: 's4.a0', phase: 'SENT' }] },
      elsewhere: null,
      budget: { used: first.account, limits: defaultLimits },
      base: null,
      snapshot: null,
    },
  });
});

test('R12.1 the first version of an end is an end', () => {
  const read = readCheckpoint({ ...first, state: 'FAILED', reason: 'failed', versions: {} });
  expect(read).toMatchObject({ ok: true, checkpoint: { at: 'end', versions: { code: null } } });
});

test('R12.1 an account that counts something more is read as well', () => {
  const body = {
    ...newest,
    budget: { used: { ...emptyAccount, children: 1 }, limits: { ...defaultLimits, maxChildren: 3 } },
  };
  expect(readCheckpoint(body)).toMatchObject({ ok: true, checkpoint: { budget: { used: { children: 1 } } } });
});

test('R12.2 a document of a newer version is refused with both versions', () => {
  expect(readCheckpoint({ v: 4, whatever: true })).toEqual({
    ok: false,
    newer: 4,
    why: expect.stringContaining('document version 4; this one reads up to 3'),
  });
});

test.each([null, 'text', [], {}, { v: 'two' }, { v: 0 }, { v: 1 }, { ...first, effects: 3 }, { ...newest, step: -1 }])(
  'R12.2 what is no checkpoint is refused with what is wrong: %j',
  (body) => {
    const read = readCheckpoint(body);
    expect(read).toEqual({ ok: false, why: expect.stringMatching(/^It is no checkpoint: ./) });
  },
);

test('R12.1 the schema takes nothing that it does not know', () => {
  expect(checkpointSchema.safeParse({ ...newest, children: [] }).success).toBe(false);
});
