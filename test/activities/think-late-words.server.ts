import type { ActivityDeps } from '../../src/activities/deps';
import { insertMessage } from '../../src/ledger/inbox';
import type { AttemptRef } from '../../src/protocol/ids';
import type { SayBody } from '../../src/protocol/messages';
import { type ActivityWorld, activityWorld } from '../support/activity-world';
import { AttemptDriver } from '../support/attempt-driver';
import { brokenInvariants } from '../support/ledger-invariants';
import { accountOf, rowsOf } from '../support/ledger-rows';
import { ok, tool } from '../support/test-tools';

/** Some eight hundred tokens. */
const resultChars = 1_600;
const contextTokens = 12_000;
/** Some two thousand tokens, shown with the goal and as a word: what was not full is too long with it. */
const long = '7 1 8 2 '.repeat(240);
/** Nothing fits beside it. */
const tooLong = 'and so on '.repeat(10_000);
/** Their steps leave a view that is not yet compacted. */
const steps = 4;

let world: ActivityWorld;
beforeAll(async () => {
  const looks = tool({
    name: 'look',
    run: ({ step }) => ok(`Seen in step ${step}. ${'x y '.repeat(resultChars / 4)}`),
  });
  const entries = [{ from: 1, calls: [{ tool: 'look', args: { step: '{#step}' } }] }];
  world = await activityWorld({ entries }, [looks], { contextTokens, maxOutputTokens: 1_000 });
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

/** An attempt of a few steps, and one more worker for it, to which somebody speaks when it has read what its next view is made of. */
async function saidBehindTheView(task: string, body: SayBody): Promise<AttemptDriver> {
  const attempt = new AttemptDriver(await world.worker(), await world.attempt({ task, limits: { maxTokens: 1e7 } }));
  for (let step = 1; step <= steps; step += 1) await attempt.stepWithOneAction();
  const base = await world.worker();
  let said = false;
  const ledger: ActivityDeps['ledger'] = {
    ...base.ledger,
    async view(ref) {
      const rows = await base.ledger.view(ref);
      if (!said) await insertMessage(world.pool, ref, { id: 'late', kind: 'say', body });
      said = true;
      return rows;
    },
  };
  return attempt.on({ ...base, ledger });
}

const heardUpTo = async (attempt: AttemptDriver) => {
  const [row] = await rowsOf<{ heard: number }>(world.pool, attempt.ref, 'select heard from attempts where key = $1');
  return row?.heard;
};
const triesOf = (attempt: AttemptDriver, step: number) =>
  rowsOf<{ reserved: number; reported: number }>(
    world.pool,
    attempt.ref,
    `select (reserved ->> 'inputTokens')::int as reserved, (usage ->> 'inputTokens')::int as reported
     from model_tries where attempt = $1 and step = ${step} order by try, execution`,
  );
const newest = () => JSON.stringify(world.model.requests().at(-1)?.body());

test('M4 a word that comes while a view is built is in the request that is sent, R6.2 which is what is reserved for', async () => {
  const attempt = await saidBehindTheView('fits', { text: `Look at shelf 9. ${'and so on '.repeat(200)}` });
  const asked = world.model.requests().length;

  const { answer, named } = await attempt.think();

  expect(answer).toMatchObject({ kind: 'proposal' });
  expect(named).toEqual([{ id: 'late', as: 'taken', kind: 'say' }]);
  expect(world.model.requests()).toHaveLength(asked + 1);
  expect(newest()).toContain('Look at shelf 9.');
  expect(await heardUpTo(attempt)).toBe(2);
  const [before] = await triesOf(attempt, steps);
  const [sent] = await triesOf(attempt, steps + 1);
  // A step of 800 tokens and a word of 600 came between these two requests.
  expect((sent?.reserved ?? 0) - (before?.reserved ?? 0)).toBeGreaterThan(1_200);
  expect(await accountOf(world.pool, attempt.ref)).toMatchObject({ reservedTokens: 0, reservedCostMicroUsd: 0 });
});

test('R13.2 a goal revised while a view is built is never passed by the old request, also where it makes the view too long', async () => {
  const attempt = await saidBehindTheView('revised', { text: `Only the parcel. ${long}`, revise: true, by: 'ana' });
  const asked = world.model.requests().length;

  const { answer, named } = await attempt.think();

  expect(answer).toEqual({ kind: 'compact' });
  expect(named).toEqual([{ id: 'late', as: 'taken', kind: 'say' }]);
  expect(world.model.requests()).toHaveLength(asked);
  expect(await heardUpTo(attempt)).toBe(1);
  expect(await triesOf(attempt, steps + 1)).toEqual([]);
  expect(await accountOf(world.pool, attempt.ref)).toMatchObject({ reservedTokens: 0, reservedCostMicroUsd: 0 });

  expect((await attempt.thinkAgain(2, { compacted: 'normal' })).answer).toMatchObject({ kind: 'proposal' });
  expect(newest()).toContain('Only the parcel.');
  expect(await heardUpTo(attempt)).toBe(2);
});

test('M4 a word with which no request can be made is not counted as heard', async () => {
  const attempt = await saidBehindTheView('none', { text: tooLong });
  const asked = world.model.requests().length;

  const answered = [await attempt.think(), await attempt.thinkAgain(2, { compacted: 'tight' })];

  expect(answered.map(({ answer }) => answer)).toEqual([
    { kind: 'compact' },
    { kind: 'failed', failure: { class: 'unrecoverable', code: 'CONTEXT_OVERFLOW' } },
  ]);
  expect(world.model.requests()).toHaveLength(asked);
  expect(await heardUpTo(attempt)).toBe(1);
});

test('M9 an execution that was lost is told once, and charged, where a word comes before the next one begins', async () => {
  const attempt = await saidBehindTheView('taken-over', { text: 'Look at shelf 9.' });
  const first = await world.worker();
  const lost = attempt.on({
    ...first,
    models: { ...first.models, call: () => Promise.reject(new Error('gone')) },
  });
  await expect(lost.think()).rejects.toThrow('gone');

  expect((await attempt.think()).answer).toMatchObject({ kind: 'proposal' });

  const events = await rowsOf<{ type: string }>(
    world.pool,
    attempt.ref,
    `select type from events where attempt = $1 and type in ('execution_lost', 'message_taken') order by sequence`,
  );
  expect(events.map(({ type }) => type)).toEqual(['message_taken', 'execution_lost']);
  expect(await triesOf(attempt, steps + 1)).toHaveLength(2);
  expect(newest()).toContain('Look at shelf 9.');
});

test('M9 a call whose view cannot be built anew ends its execution: the next one waits for no lease', async () => {
  const attempt = await saidBehindTheView('view-lost', { text: 'Look at shelf 9.' });
  const { ledger } = attempt.worker;
  let views = 0;
  const away = {
    ...ledger,
    view: (ref: AttemptRef) => (++views > 1 ? Promise.reject(new Error('away')) : ledger.view(ref)),
  };
  await expect(attempt.on({ ...attempt.worker, ledger: away }).think()).rejects.toThrow('away');

  const claimed = await rowsOf<{ finished: boolean }>(
    world.pool,
    attempt.ref,
    'select finished_at is not null as finished from executions where attempt = $1 order by n desc limit 1',
  );
  expect(claimed).toEqual([{ finished: true }]);
  expect((await attempt.on(await world.worker()).think()).answer).toMatchObject({ kind: 'proposal' });
  expect(newest()).toContain('Look at shelf 9.');
});
