import { type AttemptWorld, attemptWorld } from '../support/attempt-world';
import { agePast, effectRows } from '../support/effect-rows';
import { Gate, until } from '../support/gate';
import { brokenInvariants } from '../support/ledger-invariants';
import { observations, toolTries } from '../support/ledger-rows';
import { ok, tool } from '../support/test-tools';
import { JobService } from './support/job-service';

const running = { kind: 'running' } as const;
const done = (output: string) => ({ kind: 'succeeded', output }) as const;

const early = new Gate();
let lost = 0;
const service = new JobService({
  polled: { polls: [running, running, done('12 files were converted')] },
  failing: { polls: [running, { kind: 'failed', output: 'disk full' }] },
  called: {},
  endless: { polls: [running] },
  cancelled: { polls: [running], cancelled: { kind: 'failed', output: 'stopped' } },
  raced: { polls: [running], cancelled: done('too late to stop') },
  stubborn: { polls: [running] },
  resumed: { polls: [running, done('after the pause')] },
  lost: {
    polls: [done('found again')],
    submitting: () => {
      lost += 1;
      if (lost === 1) throw new Error('the answer was lost');
    },
  },
  contradicted: {
    submitting: () => {
      throw new Error('the answer was lost');
    },
  },
  vanished: {
    submitting: () => {
      throw new Error('the answer was lost');
    },
  },
  'first of three': { polls: [running, running, done('first')] },
  'second of three': { polls: [done('second')] },
  'third of three': {},
  outlived: { polls: [running, done('all the same')] },
  shared: { polls: [running, running, running, done('one result')] },
  broken: { polls: [{ kind: 'failed', output: 'disk full' }] },
  nonsense: { polls: [undefined as never, done('after nonsense')] },
  forsaken: { polls: [running] },
  early: { submitting: () => early.pass() },
});
const tools = [
  tool({ name: 'get_time', run: () => ok('noon') }),
  service.tool('convert'),
  service.tool('convert_once', { keyed: true }),
  service.tool('convert_briefly', { maxMs: 1_500 }),
  service.tool('convert_unasked', { polled: false }),
  service.tool('convert_unsafe', { effect: 'unsafe', polled: false }),
];

let world: AttemptWorld;
beforeAll(async () => {
  const jobs: Record<string, string> = {
    polled: 'convert',
    failing: 'convert',
    called: 'convert_unasked',
    endless: 'convert_briefly',
    cancelled: 'convert',
    raced: 'convert',
    stubborn: 'convert',
    resumed: 'convert',
    lost: 'convert',
    vanished: 'convert_unsafe',
    early: 'convert_unasked',
    outlived: 'convert',
    forsaken: 'convert_briefly',
    nonsense: 'convert',
    contradicted: 'convert_unsafe',
  };
  const attempts = Object.fromEntries(
    Object.entries(jobs).map(([job, tool]) => [
      job,
      { 1: { calls: [{ tool, args: { job } }] }, 2: { text: 'The job is over.' } },
    ]),
  );
  const three = ['convert', 'convert', 'convert_unasked'].map((tool, at) => ({
    tool,
    args: { job: `${['first', 'second', 'third'][at]} of three` },
  }));
  const together = { 1: { calls: [...three, { tool: 'get_time', args: {} }] }, 2: { text: 'All are over.' } };
  const once = (job: string) => ({
    1: { calls: [{ tool: 'convert_once', args: { job } }] },
    2: { text: 'It is over.' },
  });
  const shared = { 'one-shared': once('shared'), 'two-shared': once('shared') };
  const broken = { 'one-broken': once('broken'), 'two-broken': once('broken') };
  world = await attemptWorld({ transcript: { attempts: { ...attempts, together, ...shared, ...broken } }, tools });
  await world.startWorker();
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

const start = (task: string) => world.start({ task });
type Ref = Awaited<ReturnType<typeof start>>;
const completed = { state: 'COMPLETED', reason: 'success' };
const shown = async (ref: Ref) => (await observations(world.pool, ref)).map(({ ok, text }) => ({ ok, text }));
const types = async (ref: Ref) => (await world.events(ref)).map(({ type }) => type);
const settle = (ref: Ref, input: object) => world.handle(ref).signal('effectSettled', input);
const callback = (job: string) => {
  const known = service.callbacks.get(job);
  if (!known) throw new Error(`${job} was not submitted`);
  return known;
};

test('R15.2 a job is submitted once and asked how it goes until it is done; the model sees its result, and the wait is the attempt’s state', async () => {
  const ref = await start('polled');
  expect(await world.stopped(ref)).toEqual({ state: 'WAITING_FOR_EFFECT', reason: 'waiting_for_effect' });
  expect(await world.result(ref)).toEqual(completed);
  expect(await shown(ref)).toEqual([{ ok: true, text: '12 files were converted' }]);
  expect(service.named('polled').asked).toBe(3);
  expect(await toolTries(world.pool, ref)).toHaveLength(1);
  expect(await effectRows(world.pool, ref)).toMatchObject([{ phase: 'COMMITTED' }]);
  expect(await types(ref)).toEqual(expect.arrayContaining(['job_submitted', 'job_ended']));
});

test('R15.2 a job that failed is an error that the model sees, and its submission stands', async () => {
  const ref = await start('failing');
  expect(await world.result(ref)).toEqual(completed);
  expect(await shown(ref)).toEqual([{ ok: false, text: expect.stringContaining('disk full') }]);
});

test('R15.2 a job calls back with the token of its send and is believed once; a forged token changes nothing', async () => {
  const ref = await start('called');
  await world.until(ref, 'WAITING_FOR_EFFECT');
  const { actionId, token, workflowId } = callback('called');
  expect(workflowId).toBe(`attempt/default/${ref.id}`);
  await settle(ref, { actionId, token: 'forged', outcome: 'succeeded', output: 'lies' });
  await until(async () => (await types(ref)).includes('message_rejected'), 'the forged word was rejected');
  await settle(ref, { actionId, token, outcome: 'succeeded', output: '7 pages', messageId: 'first' });
  await settle(ref, { actionId, token, outcome: 'failed', output: 'or was it?', messageId: 'second' });
  expect(await world.result(ref)).toEqual(completed);
  expect(await shown(ref)).toEqual([{ ok: true, text: '7 pages' }]);
  const rejected = (await world.events(ref)).filter(({ type }) => type === 'message_rejected');
  expect(rejected.map(({ payload }) => payload)).toEqual([
    expect.objectContaining({ why: expect.stringContaining('token') }),
    expect.objectContaining({ messageId: 'second' }),
  ]);
  const { rows } = await world.pool.query<{ found: number }>(
    `select count(*)::int as found from inbox where body::text like $1`,
    [`%${token}%`],
  );
  expect(rows[0]?.found).toBe(0);
});

test('R15.2 a job that never ends is asked to end after its limit, and the model is told that nobody knows what it did', async () => {
  const ref = await start('endless');
  expect(await world.result(ref)).toEqual(completed);
  expect(await shown(ref)).toEqual([{ ok: false, text: expect.stringContaining('JOB_TIMEOUT') }]);
  expect(service.named('endless').cancels).toBe(1);
});

test('R11.1 R15.2 a cancel asks the job to end, and the attempt is CANCELLED only when it has', async () => {
  const ref = await start('cancelled');
  await world.until(ref, 'WAITING_FOR_EFFECT');
  await world.send(ref, { kind: 'cancel', body: { by: 'ana' } });
  expect(await world.result(ref)).toEqual({ state: 'CANCELLED', reason: 'cancelled' });
  expect(service.named('cancelled').cancels).toBe(1);
  const ended = (await world.events(ref)).find(({ type }) => type === 'job_ended');
  expect(ended?.payload).toMatchObject({ as: 'cancelled' });
});

test('R11.2 R15.2 a job that was done before it could be stopped is told as what took effect all the same', async () => {
  const ref = await start('raced');
  await world.until(ref, 'WAITING_FOR_EFFECT');
  await world.send(ref, { kind: 'cancel', body: { by: 'ana' } });
  expect(await world.result(ref)).toEqual({ state: 'CANCELLED', reason: 'cancelled_effect_committed' });
});

test('R11.3 R15.2 a job that does not end keeps its attempt in CANCELLING until it says that it has', async () => {
  const ref = await start('stubborn');
  await world.until(ref, 'WAITING_FOR_EFFECT');
  await world.send(ref, { kind: 'cancel', body: { by: 'ana' } });
  await until(() => service.named('stubborn').cancels === 1 && service.named('stubborn').asked > 0, 'it was asked');
  await world.until(ref, 'CANCELLING');
  const { actionId, token } = callback('stubborn');
  await settle(ref, { actionId, token, outcome: 'failed' });
  expect(await world.result(ref)).toMatchObject({ state: 'CANCELLED' });
});

test('R15.2 an attempt that is suspended while its job runs goes on with the same job', async () => {
  const ref = await start('resumed');
  await world.until(ref, 'WAITING_FOR_EFFECT');
  await world.send(ref, { kind: 'suspend', body: { by: 'ana' } });
  await world.until(ref, 'SUSPENDED');
  await world.send(ref, { kind: 'resume', body: { by: 'ana' } });
  expect(await world.result(ref)).toEqual(completed);
  expect(await shown(ref)).toEqual([{ ok: true, text: 'after the pause' }]);
  service.named('resumed'); // there is one
});

test('E5 R15.2 a submission whose answer was lost is sent again under its key, and finds its job', async () => {
  const ref = await start('lost');
  expect(await world.result(ref)).toEqual(completed);
  expect(await shown(ref)).toEqual([{ ok: true, text: 'found again' }]);
  service.named('lost');
  expect(lost).toBe(2);
});

test('E4 R15.2 a job’s own word settles an unsafe submission that nobody could tell of', async () => {
  const ref = await start('vanished');
  await world.until(ref, 'RECONCILING');
  const { actionId, token } = callback('vanished');
  await settle(ref, { actionId, token, outcome: 'succeeded', downstreamId: 'j-9', output: 'all of it' });
  expect(await world.result(ref)).toEqual(completed);
  expect(await shown(ref)).toEqual([{ ok: true, text: 'all of it' }]);
  expect(await effectRows(world.pool, ref)).toMatchObject([{ phase: 'COMMITTED' }]);
});

test('R15.2 a job that calls back before its submission was answered is heard after it', async () => {
  const ref = await start('early');
  await until(() => service.callbacks.has('early'), 'it was submitted');
  const { actionId, token } = callback('early');
  await settle(ref, { actionId, token, outcome: 'succeeded', output: 'quick as a flash' });
  early.open();
  expect(await world.result(ref)).toEqual(completed);
  expect(await shown(ref)).toEqual([{ ok: true, text: 'quick as a flash' }]);
});

test('R15.2 R14.2 jobs of one proposal run beside each other, each is told in its place, and what may stand on them waits', async () => {
  const ref = await start('together');
  await world.until(ref, 'WAITING_FOR_EFFECT');
  expect(service.jobs.size).toBeGreaterThanOrEqual(3);
  for (const name of ['first', 'second', 'third']) service.named(`${name} of three`);
  const { actionId, token } = callback('third of three');
  await settle(ref, { actionId, token, outcome: 'succeeded', output: 'third' });
  expect(await world.result(ref)).toEqual(completed);
  expect((await shown(ref)).map(({ text }) => text)).toEqual(['first', 'second', 'third', 'noon']);
  const order = (await world.events(ref)).flatMap(({ type, payload }) =>
    type === 'action_started' || type === 'job_ended' ? [`${type} ${payload['tool']}`] : [],
  );
  expect(order.at(-1)).toBe('action_started get_time');
});

test('R16.7 R15.2 a job whose tool would not take its arguments any more is followed to its end', async () => {
  const ref = await start('outlived');
  await world.until(ref, 'WAITING_FOR_EFFECT');
  service.refuses = 'no such job any more';
  expect(await world.result(ref)).toEqual(completed);
  service.refuses = undefined;
  expect(await shown(ref)).toEqual([{ ok: true, text: 'all the same' }]);
});

test('E1 R15.2 who asks for a job that another attempt has submitted is told what it came to, and not that it was submitted', async () => {
  const one = await start('one-shared');
  await world.until(one, 'WAITING_FOR_EFFECT');
  const two = await start('two-shared');
  expect(await world.result(two)).toEqual(completed);
  expect(await world.result(one)).toEqual(completed);
  expect([await shown(one), await shown(two)]).toEqual(Array(2).fill([{ ok: true, text: 'one result' }]));
  service.named('shared'); // there is one

  const first = await start('one-broken');
  expect(await world.result(first)).toEqual(completed);
  const second = await start('two-broken');
  expect(await world.result(second)).toEqual(completed);
  const failedWords = [{ ok: false, text: expect.stringContaining('disk full') }];
  expect([await shown(first), await shown(second)]).toEqual([failedWords, failedWords]);
  service.named('broken');
});

test('R15.2 a poll that answers nonsense has found out nothing', async () => {
  const ref = await start('nonsense');
  expect(await world.result(ref)).toEqual(completed);
  expect(await shown(ref)).toEqual([{ ok: true, text: 'after nonsense' }]);
});

test('E4 R15.2 a job’s own word against what a person said is kept, and told as a conflict', async () => {
  const ref = await start('contradicted');
  await world.until(ref, 'RECONCILING');
  const { actionId, token } = callback('contradicted');
  await agePast(world.pool, ref, 60_000); // nothing of it can be under way
  const body = { actionId, outcome: 'not_committed', by: 'ana', evidence: 'No row.' } as const;
  await world.send(ref, { kind: 'reconcile', body });
  await settle(ref, { actionId, token, outcome: 'succeeded', output: 'but it ran' });
  expect(await world.result(ref)).toEqual(completed);
  expect(await types(ref)).toEqual(expect.arrayContaining(['effect_conflict']));
});

test('R11.3 R15.2 a cancelled attempt waits for a job that never says that it has ended no longer than the job may take', async () => {
  const ref = await start('forsaken');
  await world.until(ref, 'WAITING_FOR_EFFECT');
  await world.send(ref, { kind: 'cancel', body: { by: 'ana' } });
  expect(await world.result(ref)).toMatchObject({ state: 'CANCELLED' });
  const ended = (await world.events(ref)).find(({ type }) => type === 'job_ended');
  expect(ended?.payload).toMatchObject({ as: 'cancelled', by: 'limit' });
});
