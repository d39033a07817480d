import type { AttemptRef } from '../../src/protocol/ids';
import { type AttemptWorld, attemptWorld } from '../support/attempt-world';
import { until } from '../support/gate';
import { brokenInvariants } from '../support/ledger-invariants';
import { observations } from '../support/ledger-rows';
import type { WorkerProcess } from '../support/worker-process';

/** Fifty children take seconds, and a killed worker is missed for three; ms. */
const testMs = 300_000;
/** In two answers, since of one answer the first 32 calls are run. */
const perAnswer = 25;
const children = 2 * perAnswer;
/** The worker is killed when so many children have ended. */
const killsAt = [5, 20, 40];

const names = [1, 2].flatMap((step) => Array.from({ length: perAnswer }, (_, at) => `fan.1.s${step}a${at}`));
const budget = { maxTokens: 20_000, maxCostUsd: 0.01, maxToolCalls: 1 };
const delegate = (goal: string) => ({ tool: 'delegate', args: { goal, kind: 'dialog', budget } });

let world: AttemptWorld;
beforeAll(async () => {
  world = await attemptWorld({
    transcript: {
      attempts: {
        fan: {
          1: { calls: names.slice(0, perAnswer).map(delegate) },
          2: { calls: names.slice(perAnswer).map(delegate) },
          3: { text: 'All are back.' },
        },
        ...Object.fromEntries(
          names.map((name, at) => [name, { 1: { text: `I am ${at}.`, delayMs: 200 + 100 * (at % perAnswer) } }]),
        ),
        away: { 1: { calls: [delegate('Count.')] }, 2: { text: 'It is five.' } },
        'away.1.s1a0': { 1: { text: 'Five.', delayMs: 1_500 } },
      },
    },
  });
}, testMs);
afterAll(() => world.close(), testMs);
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

const limits = { maxTokens: 10_000_000, maxCostMicroUsd: 100_000_000, maxToolCalls: 1_000 };
const start = (task: string) => world.start({ task, contract: { tools: ['delegate'] }, limits });
const completed = { state: 'COMPLETED', reason: 'success' };
const ended = async (pattern: string): Promise<number> => {
  const { rows } = await world.pool.query<{ ended: number }>(
    'select count(*)::int as ended from attempts where task like $1 and ended_at is not null',
    [pattern],
  );
  return rows[0]?.ended ?? 0;
};
const summaries = async (ref: AttemptRef) =>
  (await observations(world.pool, ref)).map(({ text }) => JSON.parse(text ?? '').summary);
const count = async (ref: AttemptRef, type: string) =>
  (await world.events(ref)).filter((event) => event.type === type).length;

test(
  `R16.8 R15.1 ${children} children complete, each result comes back once and in its place, with the parent's worker killed three times meanwhile`,
  async () => {
    let worker: WorkerProcess = await world.startProcess();
    const ref = await start('fan');
    for (const at of killsAt) {
      await until(async () => (await ended('fan.1.%')) >= at, `${at} children have ended`);
      await worker.kill();
      worker = await world.startProcess();
    }
    expect(await world.result(ref)).toEqual(completed);
    expect(await summaries(ref)).toEqual(names.map((_, at) => `I am ${at}.`));
    expect([await count(ref, 'child_started'), await count(ref, 'child_ended')]).toEqual([children, children]);
    expect(await ended('fan.1.%')).toBe(children);
    await worker.kill();
  },
  testMs,
);

test(
  'R16.8 a child that ends while its parent is suspended and its worker is dead is heard once the parent goes on',
  async () => {
    const first = await world.startProcess();
    const ref = await start('away');
    await world.until(ref, 'WAITING_FOR_EFFECT');
    await world.send(ref, { kind: 'suspend', body: { by: 'ana' } });
    await world.until(ref, 'SUSPENDED');
    await until(async () => (await ended('away.1.%')) === 1, 'the child has ended');
    await first.kill();
    await world.startProcess();
    await world.send(ref, { kind: 'resume', body: { by: 'ana' } });
    expect(await world.result(ref)).toEqual(completed);
    expect(await summaries(ref)).toEqual(['Five.']);
    expect(await count(ref, 'child_ended')).toBe(1);
  },
  testMs,
);
