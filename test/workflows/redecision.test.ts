import fc from 'fast-check';
import type { AttemptState } from '../../src/domain/attempt/states';
import { canMove } from '../../src/domain/attempt/table';
import { isRetried } from '../../src/domain/failure/reactions';
import type { StartSnapshot } from '../../src/protocol/attempt';
import type { CallAnswers, CallArgs } from '../../src/protocol/calls';
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
    Array.from({ length: Math.floor(random() * 4) }, (_, i) =>
      action(i, {
        quick: random() < 0.5,
        ...(random() < 0.7 && { reads: random() < 0.8 ? ('trusted' as const) : ('untrusted' as const) }),
      }),
    );
  const reads = (quick: boolean) =>
    Array.from({ length: 2 + Math.floor(random() * 4) }, (_, i) => action(i, { quick, reads: 'trusted' }));
  const turn = (): CallAnswers['think'] =>
    draw<CallAnswers['think']>(
      proposal({ kind: 'actions' }, ...reads(false)),
      proposal({ kind: 'actions' }, ...reads(random() < 0.5)),
      proposal({ kind: 'actions' }, action(0), ...actions().slice(1)),
      proposal({ kind: 'actions' }, action(0, { quick: true }), ...actions().slice(1)),
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
    think: ({ compacted }) => {
      if (random() < 0.03) return { kind: 'over_budget', limit: 'maxTurns' };
      if (compacted !== 'tight' && random() < 0.15)
        return { kind: 'compact', ...(compacted === 'normal' && { tight: true as const }) };
      return turn();
    },
    compact: ({ mechanical }) =>
      draw<CallAnswers['compact']>(
        { kind: 'compacted', by: mechanical ? 'mechanical' : 'summary' },
        { kind: 'rejected', code: 'SUMMARY_EMPTY' },
        { kind: 'unchanged' },
        transient,
      ),
    act: (_args, { now }) =>
      draw<CallAnswers['act']>(
        { kind: 'observed', ok: true },
        { kind: 'observed', ok: false },
        busy,
        { kind: 'denied', code: 'POLICY_DENIED' },
        {
          kind: 'needs_approval',
          binding: `b${Math.floor(random() * 1e6)}`,
          expiresAt: now + Math.floor(random() * 30_000),
        },
        { kind: 'target_busy', effect: 'other' },
        { kind: 'unknown' },
        { kind: 'gave_up', code: 'LOST', unknown: true },
        ...(random() < 0.1 ? [{ kind: 'over_budget', limit: 'maxToolCalls' } as const] : []),
      ),
    probe: () =>
      draw<CallAnswers['probe']>(
        { kind: 'probed', next: 'act' },
        { kind: 'probed', next: 'wait' },
        { kind: 'probed', next: 'wait' },
        { kind: 'probed', next: 'ask' },
      ),
    // An effect that keeps a cancel from ending is settled after a while, whoever settles it.
    settle: () =>
      draw<CallAnswers['settle']>(
        { kind: 'ended', state: 'CANCELLED', reason: 'cancelled' },
        { kind: 'open', ask: random() < 0.5 },
      ),
    verify: () =>
      draw<CallAnswers['verify']>(
        { kind: 'checked', met: true, feedback: true },
        { kind: 'checked', met: false, feedback: true },
        drift,
      ),
    commit: () => draw<CallAnswers['commit']>({ kind: 'committed' }, drift),
  };
}

const anyKind: readonly Message['kind'][] = [
  'say',
  'unknown',
  'suspend',
  'suspend',
  'resume',
  'approve',
  'deny',
  'reconcile',
  'effectSettled',
  'cancel',
];
/** What somebody may send who looks at the attempt. */
const answersIn: Partial<Record<AttemptState, readonly Message['kind'][]>> = {
  WAITING_FOR_USER: ['say'],
  SUSPENDED: ['resume'],
  WAITING_FOR_APPROVAL: ['approve', 'approve', 'deny', 'suspend'],
  WAITING_FOR_EFFECT: ['effectSettled', 'suspend'],
  RECONCILING: ['reconcile', 'suspend'],
  CANCELLING: ['reconcile', 'say'],
};
/** A message that somebody may send at this moment; answers fit what waits, or nothing. */
const anyMessage =
  (ledger: FakeLedger) =>
  (ordinal: number, random: () => number): Message => {
    const id = `m${ordinal}`;
    const actionId = random() < 0.8 ? (ledger.request?.actionId ?? 'none') : 'other';
    const draw = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T;
    const kind = draw(random() < 0.6 ? (answersIn[ledger.path.at(-1) ?? 'CREATED'] ?? anyKind) : anyKind);
    switch (kind) {
      case 'unknown':
        return { id, kind, body: { name: 'wave', why: 'nobody knows it' } };
      case 'suspend':
      case 'resume':
      case 'cancel':
        return { id, kind, body: { by: 'test' } };
      case 'approve':
      case 'deny':
        return { id, kind, body: { by: 'test', actionId } };
      case 'reconcile':
        return { id, kind, body: { by: 'test', actionId, outcome: 'committed', evidence: `seen ${ordinal}` } };
      case 'effectSettled':
        return { id, kind, body: { effect: 'other' } };
      default:
        return { id, kind: 'say', body: { text: `message ${ordinal}` } };
    }
  };

async function live(seed: number, odds: Odds) {
  const random = seeded(seed);
  const start: Partial<StartSnapshot> = {
    ...(random() < 0.5 ? codeChange : {}),
    stepsPerRun: 1 + Math.floor(random() * 4),
    ...(random() < 0.7 && { flow: 2, parallelActionsMax: 2 + Math.floor(random() * 3) }),
    models: [
      { name: 'main', quick: random() < 0.5, timeoutMs: 1_000 },
      { name: 'backup', quick: random() < 0.5, timeoutMs: 1_000 },
    ],
  };
  const ledger = new FakeLedger(wild(random));
  const world = new World(input(start), ledger, random, odds, 16, anyMessage(ledger));
  const result = await world.finish();
  return { ledger, world, result };
}

/** All that must hold however an attempt was decided. The fake ledger itself throws on a mismatch and on a rider out of order. */
function expectWhole({ ledger, world, result }: Awaited<ReturnType<typeof live>>): void {
  expect(result).toEqual(ledger.end);
  expect([...ledger.inbox].filter(([, row]) => row.as === undefined)).toEqual([]);
  expect([...ledger.inbox.keys()].sort()).toEqual([...world.sentMessages].sort());
  expect([...world.updates.values()]).not.toContain(undefined);
  expectInOrder(ledger);
  for (const [from, to] of pairs(ledger.path)) expect([from, to, canMove(from, to)]).toEqual([from, to, true]);
}

function pairs(path: readonly AttemptState[]): (readonly [AttemptState, AttemptState])[] {
  return path.slice(1).map((to, i) => [path[i] as AttemptState, to]);
}
const waits = ['WAITING_FOR_APPROVAL', 'WAITING_FOR_EFFECT', 'RECONCILING'] as const;
const expectedMoves = [
  ...['WAITING_FOR_MODEL > COMPACTING', 'COMPACTING > WAITING_FOR_MODEL', 'COMPACTING > SUSPENDED'],
  ...waits.flatMap((wait) => [
    `EXECUTING_TOOL > ${wait}`,
    `${wait} > EXECUTING_TOOL`,
    `${wait} > SUSPENDED`,
    `SUSPENDED > ${wait}`,
  ]),
];

/**
 * R5.4, R14.2: the actions of a step run in their order, and a later one only once every earlier one is over or is asked for
 * beside it; by numbers, for answers come in any order. R14.3: none runs again that is over.
 */
function expectInOrder({ moves, calls }: FakeLedger): void {
  const besides = new Map(calls.map(({ call }) => [call.n, call.beside]));
  const over = new Map<string, number>();
  for (const { n, kind, args, answered } of [...moves].sort((a, b) => a.n - b.n)) {
    if (kind !== 'act') continue;
    const { step, index, try: tries } = args as CallArgs['act'];
    const first = besides.get(n) ?? n;
    const isAskedBeside = (earlier: number) =>
      moves.some((other) => other.n >= first && other.n < n && (other.args as CallArgs['act']).index === earlier);
    for (let earlier = 0; earlier < index; earlier += 1)
      expect([step, earlier, over.has(`${step}.${earlier}`) || isAskedBeside(earlier)]).toEqual([step, earlier, true]);
    expect(over.get(`${step}.${index}`)).toBeUndefined();
    if (endsAction(answered.answer as CallAnswers['act'], tries)) over.set(`${step}.${index}`, n);
  }
}
function endsAction(answer: CallAnswers['act'], tries: number): boolean {
  if (answer.kind === 'failed') return !isRetried(answer.failure, tries);
  return answer.kind === 'observed' || answer.kind === 'denied';
}

/** Some hundred attempts each, on a machine that may be busy with everything else. */
jest.setTimeout(120_000);

const seeds = fc.integer({ min: 0, max: 2 ** 31 });

test('M3 an undisturbed attempt ends, with every message named and every state told in order', async () => {
  await fc.assert(
    fc.asyncProperty(seeds, async (seed) => expectWhole(await live(seed, calm))),
    { numRuns: 150 },
  );
});

test('M3 R4.10 whatever tasks are lost and decided anew, beside zombies or not, every number keeps its call', async () => {
  let redecisions = 0;
  let grouped = 0;
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(seeds, async (seed) => {
      const lived = await live(seed, rough);
      redecisions += lived.world.redecisions;
      grouped += lived.ledger.calls.filter(({ call }) => call.beside !== undefined && call.beside < call.n).length;
      for (const [from, to] of pairs(lived.ledger.path))
        seen.set(`${from} > ${to}`, (seen.get(`${from} > ${to}`) ?? 0) + 1);
      expectWhole(lived);
    }),
    { numRuns: 300 },
  );
  expect(redecisions).toBeGreaterThan(200);
  expect(grouped).toBeGreaterThan(100);
  // Every way into a wait and out of it was gone, so that what is said of them here says something.
  expect(expectedMoves.filter((move) => !seen.has(move))).toEqual([]);
});

test('M3 R12.4 an operator may set a run back across continue-as-new, and every number keeps its call', async () => {
  await fc.assert(
    fc.asyncProperty(seeds, async (seed) => expectWhole(await live(seed, operated))),
    { numRuns: 150 },
  );
});
