import { createAct } from '../../src/activities/act';
import type { Limits } from '../../src/domain/budget/account';
import { insertMessage } from '../../src/ledger/inbox';
import { verifyLedger } from '../../src/ledger/verify/verify-ledger';
import type { Answered, PlannedAction } from '../../src/protocol/calls';
import { type ActivityWorld, activityWorld } from '../support/activity-world';
import { AttemptDriver } from '../support/attempt-driver';
import { Gate, until } from '../support/gate';
import { accountOf, observations, rowsOf } from '../support/ledger-rows';
import { ok, tool } from '../support/test-tools';

let world: ActivityWorld;
let gates: readonly Gate[];
beforeAll(async () => {
  const calls = [{ tool: 'read', repeat: 3, args: { n: '{index}' } }];
  const mixed = [{ tool: 'read', repeat: 2, args: { n: '{index}' } }, { tool: 'fetch' }, { tool: 'put' }];
  world = await activityWorld(
    {
      attempts: {
        reads: { 1: { calls }, 2: { text: 'Done.' } },
        mixed: { 1: { calls: mixed }, 2: { calls: mixed } },
        alone: { 1: { calls: [{ tool: 'read' }] } },
      },
    },
    [
      tool({
        name: 'read',
        async run({ n }, { signal }) {
          await gates[Number(n)]?.pass(signal);
          return ok(`Read ${n}.`);
        },
      }),
      tool({ name: 'fetch', untrusted: true, run: () => ok('From the web.') }),
      tool({ name: 'put', effect: 'idempotent', run: () => ok('Put.') }),
    ],
  );
});
beforeEach(() => {
  gates = [new Gate(), new Gate(), new Gate()];
});
afterAll(() => world.close());
afterEach(async () => expect(await verifyLedger(world.pool)).toEqual([]));

/** The reads of a proposal, as the workflow sends them side by side. */
async function inFlight(limits: Partial<Limits> = {}) {
  const attempt = new AttemptDriver(await world.worker(), await world.attempt({ task: 'reads', limits }));
  const actions = await attempt.actions();
  const beside = attempt.n + 1;
  const aborts = actions.map(() => new AbortController());
  const act = (action: PlannedAction, at: number) =>
    createAct(attempt.worker)(
      attempt.actCall(action, beside + at, 1, { beside }),
      (aborts[at] as AbortController).signal,
    );
  const send = (at: number): Promise<Answered<'act'>> => act(actions[at] as PlannedAction, at);
  return { attempt, send, aborts, beside };
}
const tries = ({ ref }: AttemptDriver) =>
  rowsOf<{ index: number; execution: number; outcome: string }>(
    world.pool,
    ref,
    'select index, execution, outcome from tool_tries where attempt = $1 order by index, execution',
  );

test('R14.1 what decides the order is said of each action of several, and of none that is alone', async () => {
  const attempt = new AttemptDriver(await world.worker(), await world.attempt({ task: 'mixed' }));
  const facts = (actions: readonly PlannedAction[]) => actions.map(({ reads }) => reads);
  const actions = await attempt.actions();
  expect(facts(actions)).toEqual(['trusted', 'trusted', 'untrusted', undefined]);
  for (const gate of gates) gate.pass = async () => undefined;
  for (const action of actions) await attempt.act(action);
  // The attempt has seen untrusted content by now.
  expect(facts(await attempt.actions())).toEqual(['trusted', 'trusted', 'trusted', undefined]);
  const alone = new AttemptDriver(await world.worker(), await world.attempt({ task: 'alone' }));
  expect(facts(await alone.actions())).toEqual([undefined]);
});

test('M1 M7 R14.2 a later one may be answered first, and the ledger is sound at every moment', async () => {
  const { attempt, send } = await inFlight();
  const [first, second, third] = [send(0), send(1), send(2)];
  await Promise.all(gates.map((gate) => gate.reached(1)));
  gates[2]?.open();
  expect(await third).toMatchObject({ answer: { kind: 'observed', ok: true } });
  expect(await verifyLedger(world.pool)).toEqual([]);
  gates[1]?.open();
  await second;
  gates[0]?.open();
  await first;
  attempt.n += 3;
  expect((await observations(world.pool, attempt.ref)).map(({ index }) => index).sort()).toEqual([0, 1, 2]);
  expect((await accountOf(world.pool, attempt.ref)).toolCalls).toBe(3);
  // R14.2: shown in the order of the proposal, whatever ended first.
  await attempt.think();
  const request = world.model.requests().at(-1)?.body() as { messages: { role: string; content: string }[] };
  const shown = request.messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
  expect(shown.map((text) => /Read (\d)/.exec(text)?.[1])).toEqual(['0', '1', '2']);
});

test.each(['cancel', 'suspend'] as const)(
  'M5 a request to %s that one takes while others run stops them all, and none is done again',
  async (kind) => {
    const { attempt, send, aborts } = await inFlight();
    const [first, second] = [send(0), send(1)];
    await Promise.all([gates[0]?.reached(1), gates[1]?.reached(1)]);
    await insertMessage(world.pool, attempt.ref, { id: 'stop', kind, body: { by: 'ana' } });
    const interrupted = { kind: 'interrupted', ...(kind === 'suspend' && { suspend: true }) };
    // The third comes to the ledger after the message, and takes it before it does anything.
    expect(await send(2)).toMatchObject({ answer: interrupted, named: [{ id: 'stop', as: 'taken' }] });
    for (const abort of aborts) abort.abort(new Error('asked to stop'));
    expect((await Promise.all([first, second])).map(({ answer }) => answer)).toEqual([interrupted, interrupted]);
    expect(await tries(attempt)).toEqual([
      { index: 0, execution: 1, outcome: 'interrupted' },
      { index: 1, execution: 1, outcome: 'interrupted' },
    ]);
    expect(await observations(world.pool, attempt.ref)).toEqual([]);
  },
);

test('M5 one that begins after another has taken the cancel sends nothing', async () => {
  const { attempt, send } = await inFlight();
  await insertMessage(world.pool, attempt.ref, { id: 'stop', kind: 'cancel', body: { by: 'ana' } });
  expect(await send(0)).toMatchObject({ answer: { kind: 'interrupted' } });
  expect(await send(1)).toMatchObject({ answer: { kind: 'interrupted' } });
  expect(gates.map(({ arrived }) => arrived)).toEqual([0, 0, 0]);
  expect(await tries(attempt)).toEqual([]);
  expect(await send(2)).toMatchObject({ answer: { kind: 'interrupted' } });
});

test('R6.2 each is booked by itself, and the one that is too many is refused while the others go on', async () => {
  for (const gate of gates) gate.pass = async () => undefined;
  const { attempt, send } = await inFlight({ maxToolCalls: 2 });
  const answers = await Promise.all([send(0), send(1), send(2)]);
  expect(answers.map(({ answer }) => answer.kind).sort()).toEqual(['observed', 'observed', 'over_budget']);
  expect((await accountOf(world.pool, attempt.ref)).toolCalls).toBe(2);
});

test('M4 R9.1 a resume behind a suspension that another one took waits for the pause', async () => {
  const { attempt, send } = await inFlight();
  await insertMessage(world.pool, attempt.ref, { id: 'halt', kind: 'suspend', body: { by: 'ana' } });
  await send(0);
  await insertMessage(world.pool, attempt.ref, { id: 'go', kind: 'resume', body: { by: 'ana' } });
  await send(1);
  await send(2);
  attempt.n += 3;
  const { rows } = await world.pool.query(`select disposition from inbox where id = 'go' and attempt = $1`, [
    attempt.ref.key,
  ]);
  expect(rows).toEqual([{ disposition: null }]);
  const riders = [{ r: 1, event: { type: 'state_moved', payload: { path: ['SUSPENDED'] } } }] as const;
  const pause = { at: 'pause', state: 'SUSPENDED', reason: 'suspended', keepsBatch: true } as const;
  expect((await attempt.record(pause, { riders })).answer).toEqual({ kind: 'resume' });
});

test('R14.3 R4.4 what was observed beside one that was lost is answered from the record, and only the lost one runs again', async () => {
  const { attempt, send, aborts, beside } = await inFlight();
  const [lost, done] = [send(0), send(1)];
  await Promise.all([gates[0]?.reached(1), gates[1]?.reached(1)]);
  gates[1]?.open();
  const answered = await done;
  aborts[0]?.abort(new Error('the process ends'));
  await expect(lost).rejects.toThrow('the process ends');
  aborts[0] = new AbortController();
  expect(await send(1)).toEqual(answered);
  const again = send(0);
  await until(async () => gates[0]?.arrived === 2, 'the lost one runs again');
  gates[0]?.open();
  expect(await again).toMatchObject({ answer: { kind: 'observed', ok: true } });
  expect(gates[1]?.arrived).toBe(1);
  expect(await tries(attempt)).toEqual([
    { index: 0, execution: 1, outcome: 'lost' },
    { index: 0, execution: 2, outcome: 'ok' },
    { index: 1, execution: 1, outcome: 'ok' },
  ]);
  expect(beside).toBe(2);
});
