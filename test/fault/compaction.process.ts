import { setTimeout as sleep } from 'node:timers/promises';
import { readProjection } from '../../src/domain/context/projection';
import { summarySystem } from '../../src/domain/context/summary-request';
import type { LoggedRequest } from '../../src/models/scripted/scripted-model';
import type { AttemptRef } from '../../src/protocol/ids';
import { type AttemptWorld, attemptWorld } from '../support/attempt-world';
import { brokenInvariants } from '../support/ledger-invariants';
import { eventTypes, observations, rowsOf } from '../support/ledger-rows';

/** Each step's call says so much that a few dozen fill the context, chars. */
const noteChars = 1_350;
const contextTokens = 8_000;
/** Fewer than make a compaction due by their number alone. */
const steps = 58;
/** Kills in a compaction: while the summary is being made, so that its try and its reservation are open. */
const kills = 3;
/** A summary takes so long that a worker can be killed in it, ms. */
const summaryMs = 1_500;
const testMs = 240_000;

/** The same task, once with a context that holds it whole and once with one that does not. */
const tasks = ['whole', 'compacted'] as const;
const lanes = { whole: true, compacted: false } as const;

let worlds: Record<(typeof tasks)[number], AttemptWorld>;
const asked: LoggedRequest[] = [];

async function open(task: (typeof tasks)[number]): Promise<AttemptWorld> {
  const note = 'what was found out here, and why it matters. '.repeat(noteChars / 45);
  return attemptWorld({
    transcript: {
      entries: [
        { from: 1, to: steps, calls: [{ tool: 'put', args: { n: '{step}', note } }] },
        { from: steps + 1, text: 'Done.' },
      ],
      summaries: [{ text: 'One thing after the other was put where it belongs.', delayMs: summaryMs }],
    },
    model: { contextTokens: task === 'whole' ? 200_000 : contextTokens },
    onRequest: (request) => {
      if (task === 'compacted') asked.push(request);
    },
  });
}

beforeAll(async () => {
  const [whole, compacted] = await Promise.all(tasks.map(open));
  if (!whole || !compacted) throw new Error('A world is missing.');
  worlds = { whole, compacted };
}, testMs);
afterAll(() => Promise.all(Object.values(worlds).map((world) => world.close())));

const isSummary = (request: LoggedRequest) =>
  (request.body() as { messages: { content: string }[] }).messages[0]?.content.startsWith(summarySystem) === true;

function start(task: (typeof tasks)[number]): Promise<AttemptRef> {
  return worlds[task].start({
    task: 'same',
    contract: { tools: ['put'], goal: 'Put all things where they belong.', constraints: ['Put nothing twice.'] },
    limits: { maxTokens: 100_000_000, maxToolCalls: 10_000, maxRuntimeMs: 3_600_000 },
    snapshot: { models: [{ name: 'scripted', quick: lanes[task], timeoutMs: 10_000 }], stepsPerRun: 25 },
  });
}

/** Kills whoever works on a summary as soon as the model was asked for it, once in each compaction; another takes over at once. */
async function killInCompactions(world: AttemptWorld, isOver: () => boolean): Promise<number> {
  const killedAt = new Set<number | undefined>();
  let worker = await world.startProcess();
  while (killedAt.size < kills && !isOver()) {
    const next = asked.findLast((request) => isSummary(request) && !killedAt.has(request.step));
    if (next) {
      await worker.kill();
      killedAt.add(next.step);
      worker = await world.startProcess();
    }
    await sleep(25);
  }
  return killedAt.size;
}

/** What the attempt did, whatever it was shown. */
async function done(task: (typeof tasks)[number], ref: AttemptRef) {
  const { pool } = worlds[task];
  const actions = await rowsOf<{ step: number; tool: string; args: { text: string } }>(
    pool,
    ref,
    'select step, tool, args from actions where attempt = $1 order by step, index',
  );
  return { actions, seen: await observations(pool, ref) };
}

test(
  `R16.6 the same task before and after compaction: what was done is the same, with ${kills} workers killed in compactions`,
  async () => {
    await worlds.whole.startProcess();
    const whole = await start('whole');
    expect(await worlds.whole.stopped(whole)).toEqual({ state: 'COMPLETED', reason: 'success' });

    const world = worlds.compacted;
    const ref = await start('compacted');
    let isOver = false;
    const ended = world.stopped(ref).finally(() => {
      isOver = true;
    });
    const killed = await killInCompactions(world, () => isOver);
    expect(await ended).toEqual({ state: 'COMPLETED', reason: 'success' });
    expect(killed).toBe(kills);

    expect(await done('compacted', ref)).toEqual(await done('whole', whole));
    expect(await eventTypes(worlds.whole.pool, whole)).not.toContain('context_compacted');
    await expectSound(world, ref);
    expect(await brokenInvariants(world.pool)).toEqual([]);
    expect(await brokenInvariants(worlds.whole.pool)).toEqual([]);
  },
  testMs,
);

async function expectSound(world: AttemptWorld, ref: AttemptRef): Promise<void> {
  const begun = world.effects().filter(({ kind }) => kind === 'begin');
  expect(begun).toHaveLength(steps); // no worker died in a tool, so none ran twice

  const made = await rowsOf<{ n: number; upto_step: number; body: { text: string } }>(
    world.pool,
    ref,
    'select n, upto_step, body from projections where attempt = $1 order by ordinal',
  );
  expect(made.length).toBeGreaterThanOrEqual(kills);
  const events = await eventTypes(world.pool, ref);
  expect(events.filter((type) => type === 'context_compacted')).toHaveLength(made.length);
  const { items } = readProjection(JSON.parse(made.at(-1)?.body.text ?? 'null'));
  expect(items.map(({ text }) => text).join('\n')).toContain('Put all things where they belong.');

  // Each lost summary was charged what was held for it, and only one of each number was installed.
  const tries = await rowsOf<{ outcome: string; charged: boolean }>(
    world.pool,
    ref,
    `select outcome, usage = reserved as charged from model_tries where attempt = $1 and purpose = 'compaction'`,
  );
  const lost = tries.filter(({ outcome }) => outcome === 'lost');
  expect(lost).toHaveLength(kills);
  expect(lost.every(({ charged }) => charged)).toBe(true);
  expect(tries.filter(({ outcome }) => outcome === 'answered')).toHaveLength(made.length);
}
