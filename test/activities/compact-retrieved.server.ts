import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readProjection } from '../../src/domain/context/projection';
import type { Transcript } from '../../src/models/scripted/transcript-schema';
import { type ActivityWorld, activityWorld } from '../support/activity-world';
import { AttemptDriver } from '../support/attempt-driver';
import { brokenInvariants } from '../support/ledger-invariants';
import { rowsOf } from '../support/ledger-rows';
import { ok, tool } from '../support/test-tools';

/** An item about each failure is this long, so that a few of them fill their room: characters, some two a token. */
const messageChars = 400;
/** More than a row holds. */
const longNote = 'n'.repeat(17_000);

let world: ActivityWorld;
beforeAll(async () => {
  const look = { tool: 'look', args: { step: '{#step}' } };
  const ask = (note: string) => ({ tool: 'ask_shelf', args: { shelf: '{#step}', note } });
  const transcript: Transcript = {
    entries: [
      { from: 1, to: 1, calls: [ask(longNote), look] },
      { from: 2, calls: [ask('short'), look] },
    ],
    summaries: [{ text: 'One shelf after the other was asked, and none of them could be opened.' }],
  };
  const shelf = tool({
    name: 'ask_shelf',
    run: ({ shelf }) => ({
      ok: false,
      failure: { class: 'tool_business', code: 'LOCKED' },
      error: {
        code: 'LOCKED',
        message: `Shelf ${shelf} is locked: ${'7 1 8 2 '.repeat(messageChars / 8)}`,
        retryable: false,
        suggested_action: 'Ask another one.',
      },
    }),
  });
  const looks = tool({ name: 'look', run: ({ step }) => ok(`Seen in step ${step}. ${'x y '.repeat(500)}`) });
  world = await activityWorld(transcript, [shelf, looks], { contextTokens: 12_000, maxOutputTokens: 1_000 });
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

async function begin(task: string): Promise<AttemptDriver> {
  const limits = { maxSameToolErrors: 1_000, maxToolCalls: 1_000, maxTokens: 1e8, maxCostMicroUsd: 1e9 };
  return new AttemptDriver(await world.worker(), await world.attempt({ task, limits }));
}

/** The steps up to the next one whose view is to be compacted; `again`: the present one is done first. */
async function fill(attempt: AttemptDriver, again: boolean): Promise<void> {
  for (let steps = 0; steps < 40; steps += 1) {
    const goesOn = again && steps === 0;
    const { answer } = await (goesOn ? attempt.thinkAgain(3, { compacted: 'normal' }) : attempt.think());
    if (answer.kind === 'compact') return;
    if (answer.kind !== 'proposal') throw new Error(JSON.stringify(answer));
    for (const action of answer.actions) await attempt.act(action);
  }
  throw new Error('The view never became too long.');
}

/** The failures that the newest projection leaves out. */
async function failuresLeft(attempt: AttemptDriver): Promise<number> {
  const rows = await rowsOf<{ body: { text: string } }>(
    world.pool,
    attempt.ref,
    'select body from projections where attempt = $1 order by ordinal desc limit 1',
  );
  const { left } = readProjection(JSON.parse(rows[0]?.body.text ?? 'null'));
  return left.find(({ kind }) => kind === 'failed')?.count ?? 0;
}

/** Compactions until some failures have no room, or one is not made; with its answer. */
async function untilLeft(attempt: AttemptDriver) {
  for (let compactions = 0; compactions < 12; compactions += 1) {
    await fill(attempt, true);
    const { answer } = await attempt.compact(2);
    if (answer.kind !== 'compacted' || (await failuresLeft(attempt)) > 0) return answer;
  }
  throw new Error('Every item had room.');
}

test('R13.4 a projection that leaves an item out is installed where recall gives the item and its original back', async () => {
  const attempt = await begin('kept');
  await fill(attempt, false);
  expect((await attempt.compact(2)).answer).toEqual({ kind: 'compacted', by: 'summary' });

  expect(await untilLeft(attempt)).toEqual({ kind: 'compacted', by: 'summary' });
});

test('R13.4 a projection that leaves an item out whose original the object store has lost is not installed', async () => {
  const attempt = await begin('lost');
  await fill(attempt, false);
  expect((await attempt.compact(2)).answer).toEqual({ kind: 'compacted', by: 'summary' });
  const [stored] = await rowsOf<{ hash: string }>(
    world.pool,
    attempt.ref,
    `select args ->> 'hash' as hash from actions where attempt = $1 and step = 1 and index = 0`,
  );
  const hash = stored?.hash ?? '';
  const installed = () => rowsOf(world.pool, attempt.ref, 'select ordinal from projections where attempt = $1');
  const before = await installed();
  rmSync(join(world.objects, 'default', hash.slice(0, 2), hash));

  await fill(attempt, true);
  expect((await attempt.compact(2)).answer).toEqual({ kind: 'rejected', code: 'ITEM_NOT_RETRIEVED' });

  expect((await attempt.compact(3, { mechanical: true })).answer).toEqual({ kind: 'unchanged' });
  const rejected = await rowsOf<{ payload: object }>(
    world.pool,
    attempt.ref,
    `select payload from events where attempt = $1 and type = 'projection_rejected' order by sequence`,
  );
  const lost = [{ code: 'ITEM_NOT_RETRIEVED', items: ['failed/s1.a0'] }];
  expect(rejected.map(({ payload }) => payload)).toMatchObject([
    { by: 'summary', faults: lost },
    { by: 'mechanical', faults: lost },
  ]);
  // The view stands as it was, and the attempt goes on.
  expect(await installed()).toEqual(before);
  expect((await attempt.thinkAgain(4, { compacted: 'normal' })).answer).toMatchObject({ kind: 'proposal' });
});
