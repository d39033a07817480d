import { Client as PgClient } from 'pg';
import { type Lane, lanes } from '../../bench/lib/lane';
import { type AttemptWorld, attemptWorld } from '../support/attempt-world';
import { ok, tool } from '../support/test-tools';

const steps = 40;
const tools = ['read', 'write', 'prepared'] as const;
type Tool = (typeof tools)[number];

/** Commits of this process's connections while an attempt runs. */
async function commitsOf(run: () => Promise<void>): Promise<number> {
  let commits = 0;
  const real = PgClient.prototype.query;
  const spy = jest.spyOn(PgClient.prototype, 'query').mockImplementation(function (this: PgClient, ...args: unknown[]) {
    if (args[0] === 'commit') commits += 1;
    return Reflect.apply(real, this, args);
  });
  try {
    await run();
    return commits;
  } finally {
    spy.mockRestore();
  }
}

function openWorld(lane: Lane): Promise<AttemptWorld> {
  const quick = lane === 'local';
  // Each says something of its own, or they would be one call that goes round in circles (R7).
  const run = ({ n }: Record<string, unknown>) => ok(`Done ${n}.`);
  const entries = ['warm', ...tools].flatMap((task) => [
    { attempt: task, from: 1, to: steps, calls: [{ tool: task === 'warm' ? 'write' : task, args: { n: '{step}' } }] },
    { attempt: task, from: steps + 1, text: 'Done.' },
  ]);
  return attemptWorld({
    transcript: { entries },
    tools: [
      tool({ name: 'read', quick, run }),
      tool({ name: 'write', effect: 'deduplicated', quick, run }),
      tool({ name: 'prepared', effect: 'deduplicated', quick, run, write: { prepare: async (args: never) => args } }),
    ],
    model: { quick },
  });
}

describe.each(lanes)('R4.1 on the %s lane', (lane) => {
  const commits = new Map<Tool | 'warm', number>();
  beforeAll(async () => {
    const world = await openWorld(lane);
    try {
      await world.startWorker();
      for (const task of ['warm', ...tools] as const) {
        const limits = { maxTurns: 1_000, maxToolCalls: 1_000, maxTokens: 100_000_000 };
        const run = async () => {
          const ref = await world.start({ task, limits });
          expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
        };
        commits.set(task, await commitsOf(run));
      }
    } finally {
      await world.close();
    }
  });
  const more = (name: Tool) => ((commits.get(name) ?? Number.NaN) - (commits.get('read') ?? Number.NaN)) / steps;

  test('a read commits, so that there is something to compare with', () => {
    expect((commits.get('read') ?? 0) / steps).toBeGreaterThan(2);
  });

  test('a write costs no commit more than a read: claim and SENT are the commit that opens its try', () => {
    expect(Math.abs(more('write'))).toBeLessThan(0.5); // what a busy machine repeats is a few in forty
  });

  test('a write with a prepare costs one commit more, which marks it SENT; two would be allowed', () => {
    expect(Math.abs(more('prepared') - 1)).toBeLessThan(0.5);
  });
});
