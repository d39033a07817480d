import { createHash } from 'node:crypto';
import type { AttemptTx, Inserts } from '../../../src/activities/ledger-port';
import { newsOfStretchMin } from '../../../src/domain/progress/line';
import { fullWeight, newCallWeight } from '../../../src/domain/progress/stagnation';
import type { AttemptRef } from '../../../src/protocol/ids';
import type { World } from './contract-world';
import { action, hashOf, look, observation, projection, toolTry } from './rows';

const digest = (of: number) => createHash('sha256').update(String(of)).digest('hex');

/** What an attempt's calls have shown, as every ledger tells it (R7). */
export function trailContract(world: World): void {
  const print = hashOf('1');
  const other = hashOf('2');
  const seen = (tx: AttemptTx, step: number, change: Partial<Inserts['observations']> = {}) => {
    tx.insert('observations', observation({ step, result_hash: hashOf('a'), ...change }));
    tx.emit({ type: 'action_finished', payload: { index: 0, tool: 't', ok: true, bytes: 5 } });
  };
  const called = (
    ref: AttemptRef,
    step: number,
    change: Partial<Inserts['tool_tries']> = {},
    answer: Partial<Inserts['observations']> = {},
    port = world().port(),
  ) =>
    look(port, ref, (tx) => {
      tx.insert('tool_tries', toolTry({ step, fingerprint: print, sent: false, ...change }));
      seen(tx, step, answer);
    });
  const compacted = (ref: AttemptRef, step: number, port = world().port()) =>
    look(port, ref, (tx) => {
      tx.insert('projections', projection({ ordinal: step, n: 1_000 + step, step }));
      tx.emit({ type: 'action_started', payload: { index: 0, tool: 't', try: 1 } });
    });
  const repeats = (ref: AttemptRef, of = print, port = world().port()) =>
    look(port, ref, async (tx) => (await tx.trail()).repeats(of));
  const stagnation = (ref: AttemptRef) => look(world().port(), ref, async (tx) => (await tx.trail()).stagnation());

  test('R7.1 repeats are calls of this attempt with one fingerprint that were answered alike', async () => {
    const [ref, elsewhere] = [await world().attempt(), await world().attempt()];
    await called(ref, 1);
    await called(ref, 2, { fingerprint: other });
    await called(ref, 3);
    await called(ref, 4, { fingerprint: null });
    await called(elsewhere, 5);

    expect([await repeats(ref), await repeats(ref, other), await repeats(ref, hashOf('3'))]).toEqual([2, 1, 0]);
    await called(ref, 5, {}, { result_hash: hashOf('b') });
    expect(await repeats(ref)).toBe(0);
  });

  test('R7.1 a call counts once, when it is answered, however many tries it took', async () => {
    const ref = await world().attempt();
    const open = (tryNumber: number) =>
      look(world().port(), ref, (tx) => {
        tx.insert('tool_tries', toolTry({ fingerprint: print, sent: false, try: tryNumber }));
        tx.emit({ type: 'action_started', payload: { index: 0, tool: 't', try: tryNumber } });
      });
    await open(1);
    await open(2);
    expect(await repeats(ref)).toBe(0);
    await look(world().port(), ref, (tx) => seen(tx, 1));
    expect(await repeats(ref)).toBe(1);
  });

  test('R7.1 calls that failed for the infrastructure, or were never answered, are not counted', async () => {
    const ref = await world().attempt();
    await called(ref, 1);
    await called(ref, 2, {}, { ok: false, failure_class: 'tool_transient' });
    await called(ref, 3, {}, { ok: false, result_hash: null });
    expect(await repeats(ref)).toBe(1);
  });

  test('R7.3 what the ladder stopped counts as a repeat', async () => {
    const ref = await world().attempt();
    await called(ref, 1);
    const closed = { outcome: 'not_run', failure: 'REPLAN_REQUIRED' } as const;
    await called(ref, 2, { closed }, { ok: false, result_hash: hashOf('c'), failure_class: 'tool_business' });
    expect([await repeats(ref), await stagnation(ref)]).toEqual([2, fullWeight]);
  });

  test('R7.1 calls that differ in words are found by their likeness', async () => {
    const ref = await world().attempt();
    await called(ref, 1, { likeness: hashOf('4') }, { tokens: 100 });
    await called(ref, 2, { likeness: hashOf('4'), fingerprint: other }, { tokens: 100 });
    expect([await repeats(ref, hashOf('4')), await repeats(ref)]).toEqual([2, 1]);
  });

  test('R7.1 but not where the answer says that nothing was found, however long it says so', async () => {
    const ref = await world().attempt();
    const nothing = { tokens: 100, found_nothing: true };
    await called(ref, 1, { likeness: hashOf('4') }, nothing);
    await called(ref, 2, { likeness: hashOf('4'), fingerprint: other }, nothing);
    expect([await repeats(ref, hashOf('4')), await stagnation(ref)]).toEqual([0, 0]);
  });

  test('R7.3 calls that differ in the step of the plan are found by what they are without it', async () => {
    const ref = await world().attempt();
    await called(ref, 1, { stepless: hashOf('4') });
    await called(ref, 2, { stepless: hashOf('4'), fingerprint: other });
    await called(ref, 3, { fingerprint: hashOf('5') });
    const inAnyStep = (of: string) => look(world().port(), ref, async (tx) => (await tx.trail()).repeatsInAnyStep(of));
    expect([await inAnyStep(hashOf('4')), await inAnyStep(hashOf('5')), await repeats(ref, other)]).toEqual([2, 1, 1]);
  });

  test('R7.1 a write that was sent, also by a mark, changes what is read', async () => {
    const ref = await world().attempt();
    await called(ref, 1);
    await look(world().port(), ref, (tx) => {
      tx.insert('tool_tries', toolTry({ step: 2, fingerprint: other, sent: false }));
      tx.emit({ type: 'action_started', payload: { index: 0, tool: 't', try: 1 } });
    });
    await look(world().port(), ref, (tx) => {
      tx.markTry({ step: 2, index: 0, try: 1, execution: 1 }, { sent: true });
      seen(tx, 2);
    });
    expect([await repeats(ref), await repeats(ref, other)]).toEqual([0, 1]);
  });

  test('R7.3 a message of the user begins the count anew; feedback does not', async () => {
    const ref = await world().attempt();
    await called(ref, 1);
    const input = (step: number, kind: 'message' | 'feedback') =>
      look(world().port(), ref, (tx) => {
        tx.insert('inputs', {
          ordinal: tx.lastInput + 1,
          turn: 1,
          after_step: step,
          kind,
          body: { text: 'Look again.' },
        });
        tx.emit({ type: 'message_taken', payload: { messageId: `m${step}`, kind: 'say' } });
      });
    await input(1, 'feedback');
    expect(await repeats(ref)).toBe(1);
    await input(1, 'message');
    expect(await repeats(ref)).toBe(0);
    await called(ref, 2);
    expect(await repeats(ref)).toBe(1);
  });

  test('R7.2 what brings nothing new adds up, until a plan step is done or the view is compacted', async () => {
    const ref = await world().attempt();
    const shown = { tokens: 100 };
    for (let step = 1; step <= 3; step += 1) await called(ref, step, { fingerprint: hashOf(String(step)) }, shown);
    expect(await stagnation(ref)).toBe(2 * newCallWeight);
    await look(world().port(), ref, (tx) => {
      const steps = [{ id: 'a', title: 'A', status: 'done' }];
      tx.insert('task_states', { n: 900, body: { steps }, step: 4, index: 0 });
      tx.emit({ type: 'action_started', payload: { index: 0, tool: 'update_plan', try: 1 } });
    });
    expect(await stagnation(ref)).toBe(0);
    await called(ref, 5, { fingerprint: hashOf('5') }, shown);
    expect(await stagnation(ref)).toBe(newCallWeight);
    await compacted(ref, 6);
    expect(await stagnation(ref)).toBe(0);
    await called(ref, 6, { fingerprint: hashOf('6') });
    expect(await stagnation(ref)).toBe(0);
  });

  test.each([
    ['keeps track', true],
    ['takes over each time', false],
  ])('R7.3 one look in each view is no repeat, more in a view are, for a process that %s', async (_, keeps) => {
    const [ref, kept] = [await world().attempt(), world().port()];
    const port = () => (keeps ? kept : world().port());
    const before: number[] = [];
    let step = 0;
    const ask = async () => {
      before.push(await repeats(ref, print, port()));
      step += 1;
      await called(ref, step, {}, { tokens: 100 }, port());
    };
    for (let view = 1; view <= 4; view += 1) {
      await ask();
      for (let n = 0; n < newsOfStretchMin; n += 1) {
        step += 1;
        const news = { tokens: 100, result_hash: digest(step) };
        await called(ref, step, { fingerprint: digest(step) }, news, port());
      }
      await compacted(ref, step + 1, port());
    }
    expect(before).toEqual([0, 0, 0, 0]);
    before.length = 0;
    for (let n = 0; n < 3; n += 1) await ask();
    expect(before).toEqual([0, 1, 2]);
  });

  test('R7.2 the view tells what the tests said when they last ran', async () => {
    const ref = await world().attempt();
    const lastTest = async () => (await world().port().view(ref)).lastTest;
    expect(await lastTest()).toBeNull();
    for (const [step, failing] of [
      [1, 3],
      [2, 0],
      [3, null],
    ] as const) {
      await look(world().port(), ref, (tx) =>
        tx.insert('actions', action({ step, tool: 'run_command', args: { text: `{"command":"npm test ${step}"}` } })),
      );
      await called(ref, step, {}, { failing_tests: failing, snapshot: 's' });
    }
    expect(await lastTest()).toEqual({ args: { text: '{"command":"npm test 2"}' }, failing: 0 });
  });
}
