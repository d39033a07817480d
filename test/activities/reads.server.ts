import type { ToolResult } from '../../src/activities/ports';
import { createPrepare } from '../../src/activities/prepare';
import { createVerify } from '../../src/activities/verify';
import { actionHash } from '../../src/protocol/action-hash';
import { defineTool } from '../../src/tools/define-tool';
import { Rejected } from '../../src/tools/rejected';
import { createWorkspaces } from '../../src/workspace/create-workspaces';
import { type ActivityWorld, activityWorld, callOf, never } from '../support/activity-world';
import { AttemptDriver } from '../support/attempt-driver';
import { brokenInvariants } from '../support/ledger-invariants';
import { observations, rowsOf, toolTries } from '../support/ledger-rows';
import { tempFolder } from '../support/temp-folder';
import { testPolicy } from '../support/test-policy';
import { ok, tool } from '../support/test-tools';
import { sandpit } from '../workspace/support/sandpit';

/** What each try of the reads answers, in order; the last stays. */
let answers: (() => ToolResult | Promise<ToolResult>)[] = [];
const next = async () => (answers.length > 1 ? answers.shift() : answers[0])?.() ?? ok('');

const busy = () => Promise.reject(new Rejected('BUSY', 'Not now.', { because: 'busy', retryAfterMs: 7_000 }));
const refused = (fields: object) => () => Promise.reject(Object.assign(new Error('It failed.'), fields));

const schema = { type: 'object', properties: {}, additionalProperties: false } as const;
const tools = [
  defineTool({
    name: 'look_around',
    description: 'Reads the workspace.',
    schema,
    effect: 'none',
    workspace: true,
    quick: true,
    timeoutMs: 5_000,
    run: next,
  }),
  defineTool({
    name: 'get_patient',
    description: 'Reads a file of a patient.',
    schema: { type: 'object', properties: { id: { type: 'string' } }, additionalProperties: false },
    effect: 'none',
    workspace: false,
    protected: true,
    quick: true,
    timeoutMs: 5_000,
    run: next,
  }),
  defineTool({
    name: 'get_price',
    description: 'Reads a price.',
    schema,
    effect: 'none',
    workspace: false,
    quick: true,
    timeoutMs: 5_000,
    run: next,
  }),
  tool({ name: 'unasked', protected: true, run: () => ok('') }),
];

const pit = sandpit({ 'a.txt': 'one\n' });
const workspaces = createWorkspaces({ dataDir: tempFolder('holdfast-reads-'), sandbox: 'auto', env: process.env });
const lookAndWrite = {
  calls: [
    { tool: 'look_around', args: {} },
    { tool: 'write_file', args: { path: 'b', content: 'x' } },
  ],
};
let world: ActivityWorld;
beforeAll(async () => {
  const attempts = {
    drifts: { 1: lookAndWrite },
    stays: { 1: lookAndWrite },
    protected: {
      1: {
        calls: [
          { tool: 'get_patient', args: { id: '7' } },
          { tool: 'unasked', args: {} },
        ],
      },
    },
    priced: { 1: { calls: [{ tool: 'get_price', args: {} }] } },
  };
  const policy = testPolicy(({ tool: name }) => {
    if (name === 'unasked') return { kind: 'deny', rule: 'no', reason: 'Not that.' };
    if (name === 'get_price')
      return { kind: 'constrained_allow', rule: 'slowly', constraints: [{ kind: 'callsPerHour', max: 2 }] };
    return { kind: 'allow', rule: 'all' };
  });
  world = await activityWorld({ attempts }, tools, {}, policy);
});
beforeEach(() => {
  answers = [() => ok('seen')];
});
afterAll(async () => {
  await world.close();
  pit.remove();
});
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

const begin = async (task: string) => new AttemptDriver(await world.worker(), await world.attempt({ task }));
const eventsOf = ({ ref }: AttemptDriver, type: string) =>
  rowsOf<{ payload: Record<string, unknown>; visibility: string }>(
    world.pool,
    ref,
    `select payload, visibility from events where attempt = $1 and type = '${type}' order by sequence`,
  );
const busyAnswer = { kind: 'failed', failure: { class: 'tool_transient', code: 'BUSY', retryAfterMs: 7_000 } };

async function inWorkspace(task: string) {
  const worker = { ...(await world.worker()), workspaces };
  const own = ['look_around', 'write_file'];
  const ref = await world.attempt({ task, contract: { kind: 'code_change', workspace: pit.spec, tools: own } });
  await createPrepare(worker)(callOf<'prepare'>(ref, 1, {}), never);
  const attempt = Object.assign(new AttemptDriver(worker, ref), { n: 1 });
  const [look, write] = await attempt.actions();
  if (!look || !write) throw new Error('Two actions were to be proposed.');
  return { attempt, look, write };
}

test('R9.3 a read that is tried again after the workspace moved says what it saw, and that it is not what the first try saw', async () => {
  const { attempt, look, write } = await inWorkspace('drifts');
  answers = [busy, () => ok('seen')];
  expect((await attempt.act(look)).answer).toEqual(busyAnswer);
  await attempt.act(write);
  await attempt.act(look, { tryNumber: 2 });

  const snapshots = await rowsOf<{ snapshot: string }>(
    world.pool,
    attempt.ref,
    'select snapshot from tool_tries where attempt = $1 and index = 0 order by try',
  );
  expect(snapshots[0]?.snapshot).not.toBe(snapshots[1]?.snapshot);
  expect(await eventsOf(attempt, 'read_repeated')).toMatchObject([
    { payload: { index: 0, tool: 'look_around', snapshot: snapshots[1]?.snapshot, drift: true } },
  ]);
});

test('R9.3 one that is tried again in an unchanged workspace says what it saw and tells of no drift; one that succeeds at once says nothing', async () => {
  const { attempt, look, write } = await inWorkspace('stays');
  answers = [busy, () => ok('seen')];
  await attempt.act(look);
  await attempt.act(look, { tryNumber: 2 });
  await attempt.act(write);

  const [told, ...more] = await eventsOf(attempt, 'read_repeated');
  expect(more).toEqual([]);
  expect(told?.payload).toEqual({ index: 0, tool: 'look_around', snapshot: expect.stringMatching(/^[0-9a-f]{40}$/) });
});

test('R9.3 every try of a read of protected data is on record for auditors before it runs, and one that was denied is none', async () => {
  const attempt = await begin('protected');
  const before: number[] = [];
  const noting = (answer: () => ToolResult | Promise<ToolResult>) => async () => {
    before.push((await eventsOf(attempt, 'protected_read')).length);
    return answer();
  };
  answers = [noting(busy), noting(() => ok('Ana Kral, 41'))];
  const [read, denied] = await attempt.actions();
  if (!read || !denied) throw new Error('Two actions were to be proposed.');
  await attempt.act(read);
  await attempt.act(read, { tryNumber: 2 });
  expect((await attempt.act(denied)).answer).toMatchObject({ kind: 'denied' });

  expect(before).toEqual([1, 2]);
  const argsHash = actionHash('get_patient', { id: '7' });
  const row = (number: number) => ({
    visibility: 'auditor',
    payload: { index: 0, tool: 'get_patient', argsHash, try: number, execution: 1 },
  });
  expect(await eventsOf(attempt, 'protected_read')).toEqual([row(1), row(2)]);
});

test('R9.3 a check of the contract that reads protected data leaves a row for every look', async () => {
  answers = [() => ok('{"state":"in"}'), () => ok('{"state":"out"}')];
  const check = {
    id: 'gone',
    check: 'external',
    tool: 'get_patient',
    args: { id: '7' },
    expect: { state: 'out' },
    withinMs: 20_000,
  } as const;
  const ref = await world.attempt({ task: 'checked', contract: { kind: 'business_action', acceptance: [check] } });
  const attempt = new AttemptDriver(await world.worker(), ref);
  const verify = callOf<'verify'>(ref, 1, { candidate: 1, criterion: 'gone' });
  expect((await createVerify(attempt.worker)(verify, never)).answer).toMatchObject({ kind: 'checked', met: true });

  const argsHash = actionHash('get_patient', { id: '7' });
  expect((await eventsOf(attempt, 'protected_read')).map(({ payload }) => payload)).toEqual(
    [1, 2].map((look) => ({ tool: 'get_patient', argsHash, try: look, candidate: 1, criterion: 'gone' })),
  );
});

test('R9.3 a retried read respects what it is asked to wait, and each try counts against a rate', async () => {
  const attempt = await begin('priced');
  const [read] = await attempt.actions();
  if (!read) throw new Error('No action.');
  answers = [busy];
  expect((await attempt.act(read)).answer).toEqual(busyAnswer);
  expect((await attempt.act(read, { tryNumber: 2 })).answer).toEqual(busyAnswer);
  expect((await attempt.act(read, { tryNumber: 3 })).answer).toEqual({ kind: 'denied', code: 'CONSTRAINT_VIOLATED' });
  expect(await toolTries(world.pool, attempt.ref)).toMatchObject([
    { try: 1, outcome: 'transient' },
    { try: 2, outcome: 'transient' },
    { try: 3, outcome: 'not_run' },
  ]);
});

test.each([
  ['a connection', { code: 'ECONNREFUSED', syscall: 'connect' }, 'tool_transient', 'CONNECTION_REFUSED'],
  [
    'a database that refuses its credentials',
    { code: '28P01', severity: 'FATAL' },
    'unrecoverable',
    'CREDENTIALS_REFUSED',
  ],
  ['a status', { response: { status: 503 } }, 'tool_transient', 'SERVER_ERROR'],
])('R8.2 what a read throws is classed by its facts: %s', async (_, fields, kind, code) => {
  const attempt = new AttemptDriver(
    await world.worker(),
    await world.attempt({ task: 'protected', contract: { tools: ['get_patient'] } }),
  );
  answers = [refused(fields)];
  const [read] = await attempt.actions();
  if (!read) throw new Error('No action.');
  expect((await attempt.act(read)).answer).toEqual({ kind: 'failed', failure: { class: kind, code } });
  const told = await eventsOf(attempt, 'tool_failed');
  if (kind === 'tool_transient') expect(told).toEqual([]);
  else {
    expect(told).toEqual([
      {
        visibility: 'user',
        payload: {
          index: 0,
          tool: 'get_patient',
          code,
          detail: expect.stringMatching(/^get_patient failed: It failed\. .*The operator has to look/),
        },
      },
    ]);
    expect(await observations(world.pool, attempt.ref)).toMatchObject([{ code }]); // the action is over, and nothing of it is lost
  }
});
