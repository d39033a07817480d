import type { Limits } from '../../src/domain/budget/account';
import { insertMessage } from '../../src/ledger/inbox';
import { type ActivityWorld, activityWorld } from '../support/activity-world';
import { AttemptDriver } from '../support/attempt-driver';
import { brokenInvariants } from '../support/ledger-invariants';
import { accountOf, eventTypes, observations, rowsOf } from '../support/ledger-rows';
import { ok, tool } from '../support/test-tools';

let world: ActivityWorld;
beforeAll(async () => {
  world = await activityWorld(
    {
      entries: [{ from: 1, calls: [{ tool: 'noop', args: { n: '{index}' }, repeat: 3 }] }],
      attempts: { talks: { 1: { text: 'It is blue.' }, 2: { text: 'Because of the air.' } } },
    },
    [tool({ name: 'noop', run: () => ok('') })],
  );
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

const pause = { at: 'pause', state: 'WAITING_FOR_USER', reason: 'blocked' } as const;
async function begin(contract = {}): Promise<AttemptDriver> {
  return new AttemptDriver(await world.worker(), await world.attempt({ task: 'pauses', contract }));
}
/** A dialog that has its answer; `completed` is what the workflow asks for then. */
async function answered(limits: Partial<Limits> = {}): Promise<AttemptDriver> {
  const attempt = new AttemptDriver(await world.worker(), await world.attempt({ task: 'talks', limits }));
  await attempt.think();
  return attempt;
}
const completed = { at: 'end', state: 'COMPLETED', reason: 'success', candidate: 1 } as const;
const fates = ({ ref }: AttemptDriver) =>
  rowsOf(world.pool, ref, 'select id, disposition, why from inbox where attempt = $1 order by ordinal');
const say = (attempt: AttemptDriver, id: string, text: string) =>
  insertMessage(world.pool, attempt.ref, { id, kind: 'say', body: { text, by: 'ana' } });
const lastRequest = () => JSON.stringify(world.model.requests().at(-1)?.body());

test('R12.1 a pause is entered once, with a checkpoint, however often it is woken', async () => {
  const attempt = await begin();
  await attempt.think();
  for (let wake = 1; wake <= 3; wake += 1) {
    expect((await attempt.record(pause, { wakes: [`ghost-${wake}`] })).answer).toEqual({ kind: 'none' });
  }
  expect((await eventTypes(world.pool, attempt.ref)).filter((type) => type === 'paused')).toHaveLength(1);
  expect(await rowsOf(world.pool, attempt.ref, 'select n from checkpoints where attempt = $1')).toEqual([{ n: 2 }]);
});

test('R1.2 a message begins the next turn, once for all that wait, and the model sees each', async () => {
  const attempt = await begin();
  for (const action of await attempt.actions()) await attempt.act(action);
  await attempt.record(pause);
  await say(attempt, 'one', 'First word.');
  await say(attempt, 'two', 'Second word.');

  const said = await attempt.record(pause, { wakes: ['one', 'two'] });

  expect(said.answer).toEqual({ kind: 'said', turn: 2 });
  expect(said.named?.map(({ id, as }) => [id, as])).toEqual([
    ['one', 'taken'],
    ['two', 'taken'],
  ]);
  expect((await accountOf(world.pool, attempt.ref)).turns).toBe(2);
  attempt.turn = 2;
  await attempt.think();
  expect(lastRequest()).toContain('First word.');
  expect(lastRequest()).toContain('Second word.');
  expect((await attempt.record(pause)).answer).toEqual({ kind: 'none' });
});

test('M4 a message that an earlier call took and no model has seen ends the pause', async () => {
  const attempt = await begin();
  const [action] = await attempt.actions();
  if (!action) throw new Error('No action.');
  await say(attempt, 'early', 'By the way.');
  await attempt.act(action);

  expect((await attempt.record(pause)).answer).toEqual({ kind: 'said', turn: 2 });
});

test('R5.4 a pause within a batch breaks it off: what did not run is told so when the attempt goes on', async () => {
  const attempt = await begin();
  const [first] = await attempt.actions();
  if (first) await attempt.act(first);
  await attempt.record(pause);
  await say(attempt, 'go', 'Go on.');
  await attempt.record(pause);

  expect((await observations(world.pool, attempt.ref)).map(({ index, code }) => [index, code])).toEqual([
    [0, undefined],
    [1, 'NOT_RUN'],
    [2, 'NOT_RUN'],
  ]);
  attempt.turn = 2;
  expect((await attempt.think()).answer).toMatchObject({ kind: 'proposal' });
});

test('M5 a cancel that waits in a pause is told, whatever else was said', async () => {
  const attempt = await begin();
  await attempt.think();
  await say(attempt, 'go', 'Go on.');
  await insertMessage(world.pool, attempt.ref, { id: 'c', kind: 'cancel', body: { by: 'ana' } });

  const { answer, named } = await attempt.record(pause);

  expect(answer).toEqual({ kind: 'cancel' });
  expect(named?.map(({ id, as }) => [id, as])).toEqual([
    ['go', 'taken'],
    ['c', 'taken'],
  ]);
});

test('M4 what nobody knows is rejected with its reason', async () => {
  const attempt = await begin();
  const typed = { id: 'signal/1', kind: 'unknown', body: { name: 'aprove', why: 'no signal is called so' } } as const;

  const { named } = await attempt.record({ at: 'flush' }, { messages: [typed] });

  expect(named).toEqual([{ id: 'signal/1', as: 'rejected', kind: 'unknown', why: 'no signal is called so' }]);
  expect(await rowsOf(world.pool, attempt.ref, 'select disposition, why from inbox where attempt = $1')).toEqual([
    { disposition: 'rejected', why: 'no signal is called so' },
  ]);
});

test('R12.5 a message with NUL and half a character is stored readable', async () => {
  const attempt = await begin();
  await say(attempt, 'odd', 'a\u0000b\ud800c');
  await attempt.record(
    { at: 'flush' },
    { messages: [{ id: 'signal/1', kind: 'say', body: { text: 'd\u0000e\udfff' } }] },
  );
  expect(
    await rowsOf(
      world.pool,
      attempt.ref,
      `select body ->> 'text' as text from inputs where attempt = $1 and ordinal > 1 order by ordinal`,
    ),
  ).toEqual([{ text: 'a\uFFFDb\uFFFDc' }, { text: 'd\uFFFDe\uFFFD' }]);
});

test('R3.4 the feedback of a repair names what is unmet and what is left, and is charged', async () => {
  const attempt = await begin({
    kind: 'code_change',
    acceptance: [{ id: 'tests', check: 'command', run: 'npm test' }],
  });
  await attempt.think();
  await world.pool.query(
    `insert into evidence (attempt, candidate, criterion, met, body) values ($1, 1, 'tests', false, '{"detail": "exit code 1", "output": "1 failing"}')`,
    [attempt.ref.key],
  );
  expect((await attempt.record({ at: 'repair', candidate: 1 })).answer).toEqual({ kind: 'repair' });

  const [feedback] = await rowsOf<{ text: string; after_step: number }>(
    world.pool,
    attempt.ref,
    `select body ->> 'text' as text, after_step from inputs where attempt = $1 and kind = 'feedback'`,
  );
  expect(feedback?.after_step).toBe(1);
  for (const part of ['tests', 'exit code 1', '1 failing', 'repair 1 of 3']) expect(feedback?.text).toContain(part);
  expect((await accountOf(world.pool, attempt.ref)).repairs).toBe(1);
});

test('R3.4 what all attempts of a task may be told of their checks is limited together, and a person may raise it', async () => {
  const contract = {
    kind: 'business_action',
    acceptance: [{ id: 'paid', check: 'audit_event', type: 'ended' }],
  } as const;
  const kinds: string[] = [];
  let newest: AttemptDriver | undefined;
  for (let number = 1; number <= 4; number += 1) {
    const ref = await world.attempt({ task: 'many-repairs', contract, limits: { maxRepairs: 1 }, kin: true });
    newest = new AttemptDriver(await world.worker(), ref);
    await newest.think();
    kinds.push((await newest.record({ at: 'repair', candidate: 1 })).answer.kind);
  }
  expect(kinds).toEqual(['repair', 'repair', 'repair', 'over_budget']);
  const query = "select payload from events where attempt = $1 and type = 'budget_exceeded'";
  expect(newest && (await rowsOf(world.pool, newest.ref, query))).toEqual([
    { payload: { limit: 'maxRepairs', used: 3, max: 3, ask: 1, times: 3 } },
  ]);
});

test('R1.2 the first message alone ends no pause: a workspace that cannot be made waits for a person', async () => {
  const attempt = await begin();
  expect((await attempt.record(pause)).answer).toEqual({ kind: 'none' });
});

test('M8 what a call took from the user and no model has heard is a reason not to fail yet', async () => {
  const attempt = await begin();
  const [action] = await attempt.actions();
  if (!action) throw new Error('No action.');
  await say(attempt, 'hint', 'Look in the other folder.');
  await attempt.act(action);

  const end = { at: 'end', state: 'FAILED', reason: 'loop_detected', candidate: 0 } as const;
  expect((await attempt.record(end)).answer).toEqual({ kind: 'said', turn: 2 });
  attempt.turn = 2;
  await attempt.think();
  expect(lastRequest()).toContain('Look in the other folder.');
  expect((await attempt.record(end)).answer).toEqual({ kind: 'ended', state: 'FAILED', reason: 'loop_detected' });
});

test.each(['business_action', 'dialog'] as const)(
  'M8 nor to complete yet: what was taken while a %s was suspended is heard first',
  async (kind) => {
    const acceptance = [{ id: 'proposed', check: 'audit_event', type: 'step_proposed' }] as const;
    const ref = await world.attempt({ task: 'talks', contract: { kind, ...(kind !== 'dialog' && { acceptance }) } });
    const worker = await world.worker();
    const attempt = new AttemptDriver(worker, ref);
    await attempt.think();
    const met = { candidate: 1, criterion: 'proposed', met: true, snapshot: null } as const;
    const body = { check: 'audit_event', detail: 'It did.' } as const;
    if (kind !== 'dialog')
      await worker.ledger.transact(ref, { n: attempt.n }, (tx) => tx.insert('evidence', { ...met, body }));
    const suspended = { at: 'pause', state: 'SUSPENDED', reason: 'suspended' } as const;
    await attempt.record(suspended);
    await say(attempt, 'wait', 'Not the second one.');
    await attempt.record(suspended);
    await insertMessage(world.pool, ref, { id: 'go', kind: 'resume', body: { by: 'ana' } });
    expect((await attempt.record(suspended)).answer).toEqual({ kind: 'resume' });

    expect((await attempt.record(completed)).answer).toEqual({ kind: 'said', turn: 2 });
    attempt.turn = 2;
    await attempt.think();
    expect(lastRequest()).toContain('Not the second one.');
    expect((await attempt.record(completed)).answer).toEqual({ kind: 'ended', state: 'COMPLETED', reason: 'success' });
  },
);

test('M8 a word that is stored just before a dialog ends is its next turn, and is answered', async () => {
  const attempt = await answered();
  await say(attempt, 'late', 'Why is that?');

  const first = await attempt.record(completed, { wakes: ['late'] });
  expect(first).toMatchObject({
    answer: { kind: 'said', turn: 2 },
    named: [{ id: 'late', as: 'taken', kind: 'say' }],
  });
  attempt.turn = 2;
  await attempt.think();
  for (const text of ['It is blue.', 'Why is that?']) expect(lastRequest()).toContain(text);
  expect((await attempt.record(completed)).answer).toEqual({ kind: 'ended', state: 'COMPLETED', reason: 'success' });
  expect(await fates(attempt)).toEqual([{ id: 'late', disposition: 'taken', why: null }]);
});

test('M8 a word that races the end of a dialog is stored before it and answered, or told that it came after', async () => {
  const kinds = new Set<string>();
  for (let round = 0; round < 12; round += 1) {
    const attempt = await answered();
    const [stored, { answer }] = await Promise.all([say(attempt, 'late', 'Why?'), attempt.record(completed)]);
    kinds.add(stored.kind);
    if (stored.kind === 'ended') expect(answer).toMatchObject({ kind: 'ended' });
    else expect(answer).toEqual({ kind: 'said', turn: 2 });
    expect(await fates(attempt)).toEqual(
      stored.kind === 'ended' ? [] : [{ id: 'late', disposition: 'taken', why: null }],
    );
  }
  expect([...kinds].every((kind) => kind === 'stored' || kind === 'ended')).toBe(true);
});

test('R1.2 a goal that is revised just before a dialog ends is heard', async () => {
  const attempt = await answered();
  const body = { text: 'Say it in one word.', by: 'ana', revise: true } as const;
  await insertMessage(world.pool, attempt.ref, { id: 'late', kind: 'say', body });
  expect((await attempt.record(completed)).answer).toEqual({ kind: 'said', turn: 2 });
  attempt.turn = 2;
  await attempt.think();
  expect(lastRequest()).toContain('Say it in one word.');
});

test('M8 a cancel beside the word goes first, and without a turn left the word is rejected', async () => {
  const both = await answered();
  await say(both, 'late', 'Why?');
  await insertMessage(world.pool, both.ref, { id: 'c', kind: 'cancel', body: { by: 'ana' } });
  expect((await both.record(completed)).answer).toEqual({ kind: 'cancel' });

  const spent = await answered({ maxTurns: 1 });
  await say(spent, 'late', 'Why?');
  expect((await spent.record(completed)).answer).toEqual({ kind: 'ended', state: 'COMPLETED', reason: 'success' });
  expect(await fates(spent)).toMatchObject([{ id: 'late', disposition: 'rejected' }]);
});
