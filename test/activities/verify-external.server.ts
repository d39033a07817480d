import type { ToolResult } from '../../src/activities/ports';
import { createVerify } from '../../src/activities/verify';
import type { Contract, ExternalCriterion } from '../../src/domain/contract/contract';
import { insertMessage } from '../../src/ledger/inbox';
import { type ActivityWorld, activityWorld, callOf, never } from '../support/activity-world';
import { AttemptDriver } from '../support/attempt-driver';
import { payloads } from '../support/effect-rows';
import { Gate } from '../support/gate';
import { brokenInvariants } from '../support/ledger-invariants';
import { rowsOf } from '../support/ledger-rows';
import { ok, tool } from '../support/test-tools';

/** What the outside system says, look by look; the last answer stays. */
let answers: (ToolResult | 'throws')[];
let gate: Gate | undefined;
let world: ActivityWorld;
beforeAll(async () => {
  const read = tool({
    name: 'get_refund',
    untrusted: true,
    validate: (args) => ((args as { order?: string }).order ? undefined : 'order is missing'),
    async run(_args, { signal }) {
      await gate?.pass(signal);
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (answer === undefined || answer === 'throws') throw new Error('connection lost');
      return answer;
    },
  });
  const write = tool({ name: 'create_refund', effect: 'deduplicated', run: () => ok('Done.') });
  world = await activityWorld({ steps: { 1: { text: 'Done.' } } }, [read, write]);
});
beforeEach(() => {
  answers = [];
  gate = undefined;
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

const refunded: ExternalCriterion = {
  id: 'refunded',
  check: 'external',
  tool: 'get_refund',
  args: { order: '1042' },
  expect: { status: 'settled', amount: 40 },
};
async function begin(criterion: Partial<ExternalCriterion> = {}) {
  const contract: Partial<Contract> = { kind: 'business_action', acceptance: [{ ...refunded, ...criterion }] };
  const attempt = new AttemptDriver(await world.worker(), await world.attempt({ task: 'refund', contract }));
  const verify = (signal = never) =>
    createVerify(attempt.worker)(
      callOf<'verify'>(attempt.ref, ++attempt.n, { candidate: 1, criterion: 'refunded' }),
      signal,
    );
  return { attempt, verify };
}
const evidence = ({ ref }: AttemptDriver) =>
  rowsOf<{ met: boolean; snapshot: string | null; body: { detail: string; ran: string; output: string } }>(
    world.pool,
    ref,
    'select met, snapshot, body from evidence where attempt = $1',
  );
const json = (value: unknown) => ok(JSON.stringify(value));

test('R3.3 what the outside system holds is the evidence, and meets the criterion where it is as expected', async () => {
  const { attempt, verify } = await begin();
  answers = [json({ status: 'settled', amount: 40, id: 'r-7' })];
  expect((await verify()).answer).toEqual({ kind: 'checked', met: true, feedback: true });

  expect(await evidence(attempt)).toMatchObject([
    {
      met: true,
      snapshot: null,
      body: { detail: '', ran: 'get_refund {"order":"1042"}', output: expect.stringContaining('r-7') },
    },
  ]);
  const end = { at: 'end', state: 'COMPLETED', reason: 'success', candidate: 1 } as const;
  expect((await attempt.record(end)).answer).toEqual({ kind: 'ended', state: 'COMPLETED', reason: 'success' });
});

test('R3.4 what differs is named with what was expected and found; the model hears it, so the attempt is tainted', async () => {
  const { attempt, verify } = await begin();
  answers = [json({ status: 'pending' })];
  expect((await verify()).answer).toEqual({ kind: 'checked', met: false, feedback: true });

  const [found] = await evidence(attempt);
  expect(found?.body.detail).toBe(
    '`amount`: expected 40, found nothing. `status`: expected "settled", found "pending".',
  );
  expect(await rowsOf(world.pool, attempt.ref, 'select tainted from attempts where key = $1')).toEqual([
    { tainted: true },
  ]);
});

test('R3.3 it is looked again until the answer is as expected or the time is over', async () => {
  const { verify } = await begin({ withinMs: 60_000 });
  answers = [json({ status: 'pending' }), 'throws', json({ status: 'settled', amount: 40 })];
  expect((await verify()).answer).toMatchObject({ kind: 'checked', met: true });

  const brief = await begin({ withinMs: 1_500 });
  answers = [json({ status: 'pending' })];
  expect((await brief.verify()).answer).toMatchObject({ kind: 'checked', met: false });
});

test.each([
  ['fails', {}, 'throws', { class: 'environment_drift', code: 'TOOL_CRASHED' }],
  [
    'fails in passing',
    {},
    {
      ok: false,
      failure: { class: 'tool_transient', code: 'BUSY' },
      error: { code: 'BUSY', message: '', retryable: true, suggested_action: '' },
    },
    { class: 'tool_transient', code: 'BUSY' },
  ],
  ['answers no JSON', {}, ok('Settled!'), { class: 'environment_drift', code: 'CHECK_ANSWER_NOT_JSON' }],
  ['is not there', { tool: 'gone' }, 'throws', { class: 'environment_drift', code: 'CHECK_TOOL_MISSING' }],
  ['would write', { tool: 'create_refund' }, 'throws', { class: 'environment_drift', code: 'CHECK_TOOL_WRITES' }],
  ['takes other arguments', { args: {} }, 'throws', { class: 'environment_drift', code: 'CHECK_ARGUMENTS_INVALID' }],
] as const)('R3.5 a tool that %s says nothing about the candidate', async (_what, criterion, answer, failure) => {
  const { attempt, verify } = await begin(criterion);
  answers = [answer];
  expect((await verify()).answer).toEqual({ kind: 'failed', failure });
  expect(await evidence(attempt)).toEqual([]);
  expect(await payloads(world.pool, attempt.ref, 'criterion_checked')).toMatchObject([
    { met: false, code: failure.code },
  ]);
});

test('M5 a check in flight is broken off by a request to suspend, and one that has not begun does not begin', async () => {
  const { attempt, verify } = await begin();
  gate = new Gate();
  const abort = new AbortController();
  const checking = verify(abort.signal);
  await gate.reached(1);
  const halt = (id: string) => insertMessage(world.pool, attempt.ref, { id, kind: 'suspend', body: { by: 'ana' } });
  await halt('one');
  abort.abort(new Error('suspended'));
  expect(await checking).toMatchObject({ answer: { kind: 'interrupted', suspend: true }, named: [{ id: 'one' }] });

  await halt('two');
  expect((await verify()).answer).toEqual({ kind: 'interrupted', suspend: true });
  expect(gate.arrived).toBe(1);
});
