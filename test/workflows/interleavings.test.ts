import { decide, moves, signal } from './support/decide';
import { cancelledFailure, type Sent } from './support/fake-engine';
import { FakeLedger } from './support/fake-ledger';
import { action, input, proposal } from './support/inputs';

const quick = input({ models: [{ name: 'main', quick: true, timeoutMs: 1_000 }] });
/** Asks the user at step 1, and again after each message. */
const asking = () => new FakeLedger({ think: () => proposal({ kind: 'ask' }, action(0, { quick: true })) });
const slow = input({});
const wave = signal('wave', {});
const say = (text: string) => signal('say', { text });

test('M4 two wakes of a pause, both there from the start of a second decision, reach the answers of the first', async () => {
  const ledger = asking();
  const pausedAt = await decide(quick, ledger, []); // 1 think, 2 act, 3 record pause → none
  const first = await decide(quick, ledger, [pausedAt.live], wave); // 4 → none
  const second = await decide(quick, ledger, [pausedAt.live, first.live], say('go on')); // 5 → said, …
  const asked = moves(ledger);
  expect(asked.slice(0, 6)).toEqual([
    '1 think → proposal',
    '2 act → observed',
    '3 record pause → none',
    '4 record pause → none',
    '5 record pause → said',
    '6 think → proposal',
  ]);

  // The server has lost both tasks, and knows both messages.
  const again = await decide(quick, ledger, [pausedAt.live], wave, say('go on'));
  expect(moves(ledger)).toEqual(asked);
  expect(again.run.n).toBe(second.run.n);
  expect(again.run.mailbox.isEmpty).toBe(true);

  // The same where even the calls before the pause are decided anew.
  const anew = await decide(quick, ledger, [], wave, say('go on'));
  expect(moves(ledger)).toEqual(asked);
  expect(anew.run.n).toBe(second.run.n);
});

test('M4 a message whose wake comes after the call that took it is named again, and nothing waits for it twice', async () => {
  const ledger = asking();
  const pausedAt = await decide(quick, ledger, []);
  ledger.insert({ id: 'a', kind: 'say', body: { text: 'first' } });
  ledger.insert({ id: 'b', kind: 'say', body: { text: 'second' } });
  const woken = await decide(quick, ledger, [pausedAt.live], signal('say', { messageId: 'a' }));
  expect(ledger.inbox.get('b')?.as).toBe('taken');
  const before = moves(ledger).length;

  const late = await decide(quick, ledger, [pausedAt.live, woken.live], signal('say', { messageId: 'b' }));
  expect(moves(ledger).slice(before)).toEqual([`${before + 1} record pause → none`]);
  expect(late.run.mailbox.isEmpty).toBe(true);
});

test('M7 a hand-typed message that a second decision sees first is stored all the same, and no event is told twice', async () => {
  const ledger = asking();
  await decide(quick, ledger, []); // lost: its answers stand, and acknowledge rider 1
  expect(ledger.acked).toBeGreaterThan(0);
  await decide(quick, ledger, [], say('I came in between'));

  expect(ledger.inbox.get('signal/1')).toMatchObject({ as: 'taken' });
  expect(ledger.path.slice(0, 4)).toEqual(['CREATED', 'ASSEMBLING_CONTEXT', 'WAITING_FOR_MODEL', 'DECIDING']);
});

test('M8 a message that came with the end is rejected in the ledger before the workflow returns', async () => {
  const ledger = new FakeLedger({ think: () => proposal({ kind: 'text' }) });
  await decide(quick, ledger, []); // ends; the server refuses to close, for a message came
  const closed = await decide(quick, ledger, [], say('too late'));

  expect(closed.outcome).toEqual({ result: { state: 'COMPLETED', reason: 'success' } });
  expect(moves(ledger)).toEqual(['1 think → proposal', '2 record end → ended', '3 record flush → ended']);
  expect(ledger.inbox.get('signal/1')).toMatchObject({ as: 'rejected' });
});

test('M5 a cancel aborts the call in flight, whose number is called again and answers it', async () => {
  const ledger = new FakeLedger({});
  const asked = await decide(slow, ledger, []);
  const cancelled = await decide(slow, ledger, [asked.live], signal('cancel', { by: 'ana' }));
  expect(cancelled.sent.map(({ aborted }) => aborted)).toEqual([true]);

  const error = cancelledFailure();
  const repeated = await decide(slow, ledger, [asked.live, cancelled.live], {
    kind: 'result',
    seq: 1,
    result: { error },
  });
  expect(repeated.sent).toHaveLength(2);
  const answered = repeated.sent[1]?.execute(ledger);
  expect(answered?.answer).toEqual({ kind: 'interrupted' });
  expect(repeated.open.timers).toEqual([]);
});

test('M5 a cancel that is queued before a call leaves no flag: the call is sent, and answers it', async () => {
  const ledger = asking();
  const ended = await decide(quick, ledger, [], signal('cancel', { by: 'ana' }));
  expect(moves(ledger)).toEqual(['1 think → interrupted', '2 settle → ended']);
  expect(ended.outcome).toEqual({ result: { state: 'CANCELLED', reason: 'cancelled' } });
});

test('M1 another call under a taken number fails the task with what it is and what it was', async () => {
  const ledger = asking();
  await decide(quick, ledger, []);
  const other = input({ kind: 'code_change', hasWorkspace: true, models: quick.start.models });
  const decision = await decide(other, ledger, []);
  expect(() => decision.sent[0]?.execute(ledger)).toThrow('move 1 is ["think"');
});

test('R12.4 M4 what is queued when a run is long rides to the next one, without a number', async () => {
  const first = input({ stepsPerRun: 1 });
  const ledger = new FakeLedger({ think: () => proposal({ kind: 'truncated' }) });
  const asked = await decide(first, ledger, []);
  const answered = asked.sent[0]?.execute(ledger);
  if (!answered) throw new Error('nothing was sent');
  const cut = await decide(first, ledger, [asked.live], signal('say', { messageId: 'row' }), say('by hand'), {
    kind: 'result',
    seq: 1,
    result: { answered },
  });

  expect(cut.outcome).toMatchObject({
    newInput: {
      carried: {
        n: 1,
        step: 1,
        signals: 2,
        wakes: ['row'],
        messages: [{ id: 'signal/2', kind: 'say' }],
        path: ['WAITING_FOR_MODEL', 'DECIDING', 'ASSEMBLING_CONTEXT'],
      },
    },
  });
  if (!cut.outcome || !('newInput' in cut.outcome)) throw new Error('no new run');
  const next = await decide(cut.outcome.newInput, ledger, []);
  const call = next.sent[0];
  call?.execute(ledger);
  expect(ledger.moves.at(-1)).toMatchObject({ n: 2, kind: 'think', args: { step: 2 } });
  expect(ledger.calls.at(-1)?.call).toMatchObject({ wakes: ['row'], messages: [{ id: 'signal/2' }] });
});

test('M5 a cancel ends the wait before a next try, which is sent and answers it', async () => {
  const retryAfterMs = 50_000;
  const ledger = new FakeLedger({
    think: () => ({ kind: 'failed', failure: { class: 'model_transient', code: 'RATE_LIMITED', retryAfterMs } }),
  });
  const asked = await decide(slow, ledger, []);
  const answered = asked.sent[0]?.execute(ledger);
  if (!answered) throw new Error('nothing was sent');
  const waiting = await decide(slow, ledger, [asked.live], { kind: 'result', seq: 1, result: { answered } });
  expect([...waiting.timers.values()].every((ms) => ms >= retryAfterMs)).toBe(true);
  expect(waiting.open.calls).toEqual([]);

  const woken = await decide(slow, ledger, [asked.live, waiting.live], signal('cancel', { by: 'ana' }));
  expect(woken.open.calls).toHaveLength(1);
  expect(woken.open.calls[0]?.execute(ledger).answer).toEqual({ kind: 'interrupted' });
});

test('M7 a rider rides with every call until an answer acknowledges it', async () => {
  const ledger = asking();
  const asked = await decide(slow, ledger, []);
  // An execution of the same number that landed before this run's rider did: its answer acknowledges nothing.
  const answered = { ...(asked.sent[0] as Sent).execute(ledger), acked: 0 };
  const acked = asked.run.riders.map(({ r }) => r);
  expect(acked).toEqual([1]);

  const next = await decide(slow, ledger, [asked.live], { kind: 'result', seq: 1, result: { answered } });
  const second = ledger.calls.find(({ call }) => call.n === 2)?.call;
  expect(second?.riders?.map(({ r }) => r)).toEqual([1, 2]);
  expect(next.run.riders).toEqual([]);
});
