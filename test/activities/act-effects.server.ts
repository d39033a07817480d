import type { ToolDefinition, WriteContext } from '../../src/activities/ports';
import { insertMessage } from '../../src/ledger/inbox';
import { type ActivityWorld, activityWorld } from '../support/activity-world';
import { AttemptDriver } from '../support/attempt-driver';
import { Gate } from '../support/gate';
import { brokenInvariants } from '../support/ledger-invariants';
import { eventTypes, observations, toolTries } from '../support/ledger-rows';
import type { RunContext } from '../support/test-tools';
import { ok, tool } from '../support/test-tools';

/** One send as the outside saw it. */
interface Send {
  readonly key: string;
  readonly args: Record<string, unknown>;
}
let sends: Send[];
let gate: Gate | undefined;
let phaseAtSend: string | undefined;
let fault: ((send: Send) => void) | undefined;

const effects = async () =>
  (
    await world.pool.query<{
      key: string;
      generation: number;
      phase: string;
      fence: number;
      settled_by: string | null;
    }>('select key, generation, phase, fence, settled_by from effects order by claimed_at')
  ).rows;

async function send(args: Record<string, unknown>, { idempotencyKey: key, signal }: RunContext) {
  const { rows } = await world.pool.query<{ phase: string }>(
    "select phase from effects where tenant || '/' || key || '/g' || generation = $1",
    [key],
  );
  phaseAtSend = rows[0]?.phase;
  sends.push({ key, args });
  await gate?.pass(signal);
  fault?.({ key, args });
  return ok(`refund ${String(args['order'])} of ${String(args['amount'])}`);
}

const write = {
  businessKey: (args: { order?: string }) => args.order,
  target: (args: { order?: string }) => `order:${args.order}`,
};
const refused = {
  ok: false as const,
  failure: { class: 'tool_business' as const, code: 'TOO_MUCH' },
  error: { code: 'TOO_MUCH', message: 'More than was paid.', retryable: false, suggested_action: 'Less.' },
};
const tools = [
  tool({ name: 'deduplicated', effect: 'deduplicated', run: send, write }),
  tool({ name: 'idempotent', effect: 'idempotent', run: send, write }),
  tool({ name: 'unsafe', effect: 'unsafe', run: send, write }),
  tool({ name: 'probed', effect: 'probed', run: send, write }),
  tool({ name: 'keyless', effect: 'deduplicated', run: send }),
  tool({
    name: 'refuses',
    effect: 'deduplicated',
    run: async (args, context) => {
      await send(args, context);
      return refused;
    },
    write,
  }),
  {
    ...tool({ name: 'away', effect: 'deduplicated', run: send, write: { ...write, rejectionIsFinalForKey: true } }),
    send: async (key: string, args: Record<string, unknown>, context: WriteContext) => {
      if (sends.length > 0) return { kind: 'rejected', failure: refused.failure, error: refused.error, notSent: true };
      await send(args, { ...context, idempotencyKey: key });
      return { kind: 'committed', output: 'refunded' };
    },
  } as ToolDefinition,
  tool({
    name: 'prepared',
    effect: 'deduplicated',
    run: send,
    write: {
      ...write,
      prepare: async (args, { signal }) => {
        await gate?.pass(signal);
        return args;
      },
    },
  }),
];

let world: ActivityWorld;
beforeAll(async () => {
  const call = (name: string, order: string, amount = 40) => ({ tool: name, args: { order, amount } });
  const attempts = Object.fromEntries(
    tools.flatMap(({ name }) => [
      [`${name}-a`, { 1: { calls: [call(name, `${name}-1`), call(name, `${name}-1`, 41), call(name, `${name}-2`)] } }],
      [`${name}-b`, { 1: { calls: [call(name, `${name}-1`), call(name, `${name}-2`), call(name, `${name}-3`)] } }],
    ]),
  );
  world = await activityWorld({ attempts }, tools);
});
beforeEach(() => {
  sends = [];
  gate = undefined;
  fault = undefined;
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

/** An attempt whose first step asks for three calls of the tool; `a`: the second has other arguments under the first's key. */
async function begin(name: string, which: 'a' | 'b' = 'a') {
  const attempt = new AttemptDriver(await world.worker(), await world.attempt({ task: `${name}-${which}` }));
  const [first, second, third] = await attempt.actions();
  if (!first || !second || !third) throw new Error('Three actions are needed.');
  return { attempt, first, second, third };
}

test('E3 a write is marked SENT, and that is committed, before it is sent', async () => {
  const { attempt, first } = await begin('keyless');

  expect((await attempt.act(first)).answer).toEqual({ kind: 'observed', ok: true });

  expect(phaseAtSend).toBe('SENT');
  expect(sends).toEqual([{ key: `default/${attempt.ref.id}/s1.a0/g1`, args: { order: 'keyless-1', amount: 40 } }]);
  expect(await effects()).toContainEqual({
    key: `${attempt.ref.id}/s1.a0`,
    generation: 1,
    phase: 'COMMITTED',
    fence: 1,
    settled_by: 'send',
  });
});

test('R4.3 the same key with other arguments is refused, and the first effect stands; the same ones get its outcome', async () => {
  const { attempt, first, second } = await begin('deduplicated');
  await attempt.act(first);

  expect((await attempt.act(second)).answer).toEqual({ kind: 'observed', ok: false });
  const other = await begin('deduplicated', 'b');
  expect((await other.attempt.act(other.first)).answer).toEqual({ kind: 'observed', ok: true });

  expect(sends).toHaveLength(1);
  expect(await observations(world.pool, attempt.ref)).toMatchObject([
    { ok: true },
    { code: 'KEY_CONFLICT', text: expect.stringMatching(/40.*refund deduplicated-1 of 40/s) },
  ]);
  expect(await observations(world.pool, other.attempt.ref)).toMatchObject([{ text: 'refund deduplicated-1 of 40' }]);
  expect(await eventTypes(world.pool, other.attempt.ref)).toContain('effect_reused');
});

test.each(['deduplicated', 'idempotent'])(
  'R4.5 a %s write that throws is unknown, and is sent again under the same key',
  async (name) => {
    const { attempt, third } = await begin(name);
    fault = () => {
      fault = undefined;
      throw new Error('connection lost');
    };

    expect((await attempt.act(third)).answer).toEqual({
      kind: 'failed',
      failure: { class: 'tool_transient', code: 'SEND_FAILED' },
    });
    expect((await effects()).at(-1)).toMatchObject({ phase: 'UNKNOWN', fence: 1 });
    expect((await attempt.act(third, { tryNumber: 2 })).answer).toEqual({ kind: 'observed', ok: true });

    expect(sends.map(({ key }) => key)).toEqual(Array(2).fill(`default/${name}/${name}-2/g1`));
    expect((await effects()).at(-1)).toMatchObject({ phase: 'COMMITTED', fence: 2, settled_by: 'send' });
    expect(await toolTries(world.pool, attempt.ref)).toMatchObject([{ outcome: 'unknown' }, { outcome: 'ok' }]);
  },
);

test.each(['unsafe', 'probed'])(
  'R4.6 a %s write that throws is unknown, and no call of it sends again',
  async (name) => {
    const { attempt, third } = await begin(name);
    fault = () => {
      throw new Error('connection lost');
    };

    expect((await attempt.act(third)).answer).toEqual({ kind: 'unknown' });
    fault = undefined;
    expect((await attempt.act(third, { tryNumber: 2 })).answer).toEqual({ kind: 'unknown' });

    expect(sends).toHaveLength(1);
    expect((await effects()).at(-1)).toMatchObject({ phase: 'UNKNOWN' });
  },
);

test('E7 while an effect is unknown, nobody else writes to its target', async () => {
  const { attempt, third } = await begin('unsafe', 'b');
  fault = () => {
    throw new Error('connection lost');
  };
  await attempt.act(third);
  fault = undefined;

  const other = await begin('unsafe', 'b');
  expect((await other.attempt.act(other.third)).answer).toEqual({
    kind: 'target_busy',
    effect: 'default/unsafe/unsafe-3/g1',
  });
  expect(sends).toHaveLength(1);
});

test('E4 a refusal closes the generation, and the next action opens the next one', async () => {
  const { attempt, first, second } = await begin('refuses');

  expect((await attempt.act(first)).answer).toEqual({ kind: 'observed', ok: false });
  expect((await attempt.act(second)).answer).toEqual({ kind: 'observed', ok: false });

  expect(sends.map(({ key }) => key)).toEqual(['default/refuses/refuses-1/g1', 'default/refuses/refuses-1/g2']);
  expect(await observations(world.pool, attempt.ref)).toMatchObject([{ code: 'TOO_MUCH' }, { code: 'TOO_MUCH' }]);
});

test('E4 a refusal after a send that was not answered proves nothing about that one', async () => {
  const { attempt, third } = await begin('refuses');
  fault = () => {
    fault = undefined;
    throw new Error('connection lost');
  };
  await attempt.act(third);

  expect((await attempt.act(third, { tryNumber: 2 })).answer).toEqual({ kind: 'unknown' });
  expect((await effects()).at(-1)).toMatchObject({ phase: 'UNKNOWN' });
});

test('E4 a call that never left proves nothing about an earlier one, even where a refusal is final for the key', async () => {
  const { attempt, third } = await begin('away');
  fault = () => {
    throw new Error('connection lost');
  };
  await attempt.act(third);

  expect((await attempt.act(third, { tryNumber: 2 })).answer).toEqual({ kind: 'unknown' });
  expect((await effects()).at(-1)).toMatchObject({ phase: 'UNKNOWN' });
});

test('E3 a write with a prepare is claimed, then marked SENT, then sent', async () => {
  const { attempt, first } = await begin('prepared');
  gate = new Gate();
  const answered = attempt.act(first);
  await gate.reached(1);
  expect((await effects()).at(-1)).toMatchObject({ phase: 'CLAIMED' });
  const claimed = gate;
  gate = undefined;
  claimed.open();

  expect((await answered).answer).toEqual({ kind: 'observed', ok: true });
  expect(phaseAtSend).toBe('SENT');
});

test('M5 a cancel that comes while a write is prepared stops it before it is sent, and the key is given back', async () => {
  const { attempt, second } = await begin('prepared', 'b');
  gate = new Gate();
  const answered = attempt.act(second);
  await gate.reached(1);
  await insertMessage(world.pool, attempt.ref, { id: 'stop', kind: 'cancel', body: { by: 'ana' } });
  gate.open();

  expect(await answered).toMatchObject({ answer: { kind: 'interrupted' }, named: [{ id: 'stop', as: 'taken' }] });
  expect(sends).toEqual([]);
  expect((await effects()).at(-1)).toMatchObject({ phase: 'NOT_COMMITTED', settled_by: 'runtime' });
  expect(await toolTries(world.pool, attempt.ref)).toMatchObject([{ outcome: 'interrupted' }]);
});

test('R16.10 64 submissions of one key at once make one effect, and 63 return its outcome', async () => {
  const workers = await Promise.all([1, 2, 3, 4].map(() => world.worker()));
  const attempts = await Promise.all(
    Array.from({ length: 64 }, async (_, number) => {
      const worker = workers[number % workers.length];
      if (!worker) throw new Error('No worker.');
      const attempt = new AttemptDriver(worker, await world.attempt({ task: 'idempotent-b' }));
      const [first] = await attempt.actions();
      if (!first) throw new Error('One action is needed.');
      return { attempt, first };
    }),
  );
  const outcome = async ({ attempt, first }: (typeof attempts)[number]) => {
    for (;;) {
      const { answer } = await attempt.act(first);
      if (answer.kind !== 'target_busy') return answer; // as the workflow does, which waits and asks again
    }
  };
  const answers = await Promise.all(attempts.map(outcome));

  expect(answers).toEqual(Array(64).fill({ kind: 'observed', ok: true }));
  expect(sends).toHaveLength(1);
  const texts = await Promise.all(attempts.map(({ attempt }) => observations(world.pool, attempt.ref)));
  expect(new Set(texts.flat().map(({ text }) => text))).toEqual(new Set(['refund idempotent-1 of 40']));
});
