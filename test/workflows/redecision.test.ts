import fc from 'fast-check';
import { canMove } from '../../src/domain/attempt/table';
import type { StartSnapshot } from '../../src/protocol/attempt';
import type { CallAnswers } from '../../src/protocol/calls';
import type { Message } from '../../src/protocol/messages';
import { FakeLedger, type Script } from './support/fake-ledger';
import { action, codeChange, input, proposal } from './support/inputs';
import { type Odds, seeded, World } from './support/world';

const calm: Odds = { lostTask: 0, zombie: 0, lostCall: 0, reset: 0, message: 0.2 };
const rough: Odds = { lostTask: 0.35, zombie: 0.5, lostCall: 0.15, reset: 0, message: 0.3 };
const operated: Odds = { ...rough, reset: 0.05 };

/** Answers drawn at random the first time that they are asked for: whatever a model, a tool or a check may do. */
function wild(random: () => number): Script {
  const draw = <T>(...choices: T[]): T => choices[Math.floor(random() * choices.length)] as T;
  const transient = { kind: 'failed', failure: { class: 'model_transient', code: 'RATE_LIMITED' } } as const;
  const drift = { kind: 'failed', failure: { class: 'environment_drift', code: 'GONE' } } as const;
  const busy = { kind: 'failed', failure: { class: 'tool_transient', code: 'BUSY' } } as const;
  const actions = () =>
    Array.from({ length: Math.floor(random() * 4) }, (_, i) => action(i, { quick: random() < 0.5 }));
  const turn = (): CallAnswers['think'] =>
    draw<CallAnswers['think']>(
      proposal({ kind: 'actions' }, action(0), ...actions().slice(1)),
      proposal({ kind: 'actions' }, action(0, { quick: true })),
      proposal({ kind: 'text' }),
      proposal({ kind: 'finish', status: 'done' }),
      proposal({ kind: 'finish', status: 'blocked' }),
      proposal({ kind: 'ask' }, action(0)),
      proposal({ kind: 'truncated' }),
      transient,
    );
  return {
    prepare: () =>
      draw<CallAnswers['prepare']>({ kind: 'ready', snapshot: 's' }, { kind: 'ready', snapshot: 's' }, drift),
    think: () => (random() < 0.03 ? { kind: 'over_budget', limit: 'maxTurns' } : turn()),
    act: () => draw<CallAnswers['act']>({ kind: 'observed', ok: true }, { kind: 'observed', ok: false }, busy),
    verify: () =>
      draw<CallAnswers['verify']>(
        { kind: 'checked', met: true, feedback: true },
        { kind: 'checked', met: false, feedback: true },
        drift,
      ),
    commit: () => draw<CallAnswers['commit']>({ kind: 'committed' }, drift),
  };
}

const anyMessage = (ordinal: number, random: () => number): Message => {
  const id = `m${ordinal}`;
  if (random() < 0.7) return { id, kind: 'say', body: { text: `message ${ordinal}` } };
  if (random() < 0.5) return { id, kind: 'unknown', body: { name: 'wave', why: 'nobody knows it' } };
  return { id, kind: 'cancel', body: { by: 'test' } };
};

async function live(seed: number, odds: Odds) {
  const random = seeded(seed);
  const start: Partial<StartSnapshot> = {
    ...(random() < 0.5 ? codeChange : {}),
    stepsPerRun: 1 + Math.floor(random() * 4),
    models: [
      { name: 'main', quick: random() < 0.5, timeoutMs: 1_000 },
      { name: 'backup', quick: random() < 0.5, timeoutMs: 1_000 },
    ],
  };
  const ledger = new FakeLedger(wild(random));
  const world = new World(input(start), ledger, random, odds, 6, anyMessage);
  const result = await world.finish();
  return { ledger, world, result };
}

/** All that must hold however an attempt was decided. The fake ledger itself throws on a mismatch and on a rider out of order. */
function expectWhole({ ledger, world, result }: Awaited<ReturnType<typeof live>>): void {
  expect(result).toEqual(ledger.end);
  expect([...ledger.inbox].filter(([, row]) => row.as === undefined)).toEqual([]);
  expect([...ledger.inbox.keys()].sort()).toEqual([...world.sentMessages].sort());
  expect([...world.updates.values()]).not.toContain(undefined);
  for (const [i, to] of ledger.path.entries()) {
    const from = ledger.path[i - 1];
    if (from) expect([from, to, canMove(from, to)]).toEqual([from, to, true]);
  }
}

/** Some hundred attempts each, on a machine that may be busy with everything else. */
jest.setTimeout(60_000);

const seeds = fc.integer({ min: 0, max: 2 ** 31 });

test('M3 an undisturbed attempt ends, with every message named and every state told in order', async () => {
  await fc.assert(
    fc.asyncProperty(seeds, async (seed) => expectWhole(await live(seed, calm))),
    { numRuns: 150 },
  );
});

test('M3 R4.10 whatever tasks are lost and decided anew, beside zombies or not, every number keeps its call', async () => {
  let redecisions = 0;
  await fc.assert(
    fc.asyncProperty(seeds, async (seed) => {
      const lived = await live(seed, rough);
      redecisions += lived.world.redecisions;
      expectWhole(lived);
    }),
    { numRuns: 150 },
  );
  expect(redecisions).toBeGreaterThan(200);
});

test('M3 R12.4 an operator may set a run back across continue-as-new, and every number keeps its call', async () => {
  await fc.assert(
    fc.asyncProperty(seeds, async (seed) => expectWhole(await live(seed, operated))),
    { numRuns: 150 },
  );
});
