import { createPrepare } from '../../src/activities/prepare';
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

/** Counted at the other side, by tool and argument. */
let heard: string[] = [];
/** What the other side holds; a write that expects another version is a conflict. */
let version = 2;

const noteSchema = {
  type: 'object',
  properties: { id: { type: 'string' }, text: { type: 'string' }, expects: { type: 'integer' } },
  required: ['id', 'text', 'expects'],
  additionalProperties: false,
} as const;
const putNote = (name: string, target: boolean) =>
  defineTool({
    name,
    description: 'Writes a note.',
    schema: noteSchema,
    effect: 'unsafe',
    timeoutMs: 5_000,
    ...(target && { target: ({ id }: { id: string }) => `note:${id}` }),
    send: async (_key, { id, text, expects }) => {
      heard.push(`${name} ${id} ${text}`);
      if (expects !== version)
        throw new Rejected('OUTDATED', `The note has version ${version}.`, { because: 'conflict' });
      version += 1;
      return { kind: 'committed', output: `Written as version ${version}.` };
    },
  });

/** What a read looks at, and what a write is made to. */
const oneOf = (kind: string) => ({ target: ({ id }: { id: string }) => `${kind}:${id}` });
const getOne = (name: string, kind: string) =>
  defineTool({
    name,
    description: 'Reads one.',
    schema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'], additionalProperties: false },
    effect: 'none',
    workspace: false,
    quick: true,
    timeoutMs: 1_000,
    ...oneOf(kind),
    run: async () => ok(`version ${version}`),
  });

const tools = [
  getOne('get_one_note', 'note'),
  getOne('get_parcel', 'parcel'),
  putNote('put_note', true),
  putNote('pay_note', true),
  putNote('post', false),
  tool({ name: 'get_note', run: () => ok(`version ${version}`) }),
  tool({ name: 'get_note_badly', run: () => Promise.reject(new Error('It did not answer.')) }),
  tool({ name: 'old_notes', looks: false, run: () => ok('version 1, of last week') }),
];

const note = (text: string, expects: number, name = 'put_note', id = '1') => ({
  tool: name,
  args: { id, text, expects },
});
const get = { tool: 'get_note', args: {} };
const one = (tool: string, id: string) => ({ tool, args: { id } });
const patch = (from: string, to: string) => `--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-${from}\n+${to}\n`;
const apply = (from: string, to: string) => ({ tool: 'apply_patch', args: { patch: patch(from, to) } });
const file = (path: string) => ({ tool: 'write_file', args: { path, content: 'x\n' } });

let world: ActivityWorld;
const pit = sandpit({ 'a.txt': 'one\n' });
const workspaces = createWorkspaces({ dataDir: tempFolder('holdfast-conflicts-'), sandbox: 'auto', env: process.env });
beforeAll(async () => {
  const attempts = {
    looks: { 1: { calls: [note('a', 1)] }, 2: { calls: [get, note('c', 2)] }, 3: { calls: [note('d', 2)] } },
    stubborn: Object.fromEntries([1, 2, 3, 4].map((step) => [step, { calls: [note(`again ${step}`, 1)] }])),
    beside: { 1: { calls: [note('a', 1), note('b', 2), note('other', 2, 'put_note', '2')] } },
    'badly-read': {
      1: { calls: [note('a', 1)] },
      2: {
        calls: [
          { tool: 'get_note_badly', args: {} },
          { tool: 'old_notes', args: {} },
        ],
      },
      3: { calls: [note('b', 2)] },
    },
    unnamed: { 1: { calls: [note('a', 1, 'post')] }, 2: { calls: [note('b', 2, 'post', '2')] } },
    named: {
      1: { calls: [note('a', 1)] },
      2: { calls: [get, one('get_one_note', '2'), one('get_parcel', '1')] },
      3: { calls: [note('b', 2)] },
      4: { calls: [one('get_one_note', '1')] },
      5: { calls: [note('c', 2)] },
    },
    'others-named': {
      1: { calls: [note('a', 1)] },
      2: { calls: [one('get_parcel', '1')] },
      3: { calls: [note('b', 2)] },
      4: { calls: [get] },
      5: { calls: [note('c', 2)] },
    },
    'only-others-named': {
      1: { calls: [note('a', 1)] },
      2: { calls: [one('get_parcel', '1')] },
      3: { calls: [note('b', 2)] },
    },
    asks: { 1: { calls: [note('a', 1)] }, 2: { calls: [note('b', 2, 'pay_note')] } },
    patches: {
      1: { calls: [apply('zero', 'two'), file('b.txt')] },
      2: { calls: [get, file('c.txt')] },
      3: { calls: [{ tool: 'read_file', args: { path: 'a.txt' } }] },
      4: { calls: [apply('one', 'two')] },
    },
    runs: {
      1: { calls: [apply('zero', 'two')] },
      2: { calls: [{ tool: 'run_command', args: { command: 'cat a.txt' } }] },
      3: { calls: [apply('one', 'two')] },
    },
  };
  const asks = testPolicy(({ tool: name }) =>
    name === 'pay_note'
      ? {
          kind: 'require_approval',
          rule: 'pays',
          terms: { approvers: [], approvals: 1, expiresInMs: 60_000, channel: 'asserted' },
        }
      : { kind: 'allow', rule: 'all' },
  );
  world = await activityWorld({ attempts }, tools, {}, asks);
});
beforeEach(() => {
  heard = [];
  version = 2;
});
afterAll(async () => {
  await world.close();
  pit.remove();
});
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

/** Without the reads that name what they look at. */
const unnaming = ['put_note', 'pay_note', 'post', 'get_note', 'get_note_badly', 'old_notes'];
const begin = async (task: string, own = unnaming) =>
  new AttemptDriver(await world.worker(), await world.attempt({ task, contract: { tools: own } }));

/** All actions of the next steps, in order. */
async function steps(attempt: AttemptDriver, count: number): Promise<void> {
  for (let step = 0; step < count; step += 1) {
    for (const action of await attempt.actions()) await attempt.act(action);
  }
}
const codes = async ({ ref }: AttemptDriver) => (await observations(world.pool, ref)).map(({ code }) => code ?? 'ok');

test('R8.6 after a conflict the next write waits for a look of an earlier step; then it is sent', async () => {
  const attempt = await begin('looks');
  await steps(attempt, 3);

  // The write that was proposed together with the look was made without knowing what it showed.
  expect(await codes(attempt)).toEqual(['OUTDATED', 'ok', 'LOOK_FIRST', 'ok']);
  expect(heard).toEqual(['put_note 1 a', 'put_note 1 d']);
  const classes = await rowsOf<{ kind: string | null }>(
    world.pool,
    attempt.ref,
    'select failure_class as kind from observations where attempt = $1 order by step, index',
  );
  expect(classes.map(({ kind }) => kind)).toEqual(['state_conflict', null, 'state_conflict', null]);
  const seen = await observations(world.pool, attempt.ref);
  expect(JSON.parse(seen[2]?.text ?? '')).toMatchObject({
    ok: false,
    error: { code: 'LOOK_FIRST', retryable: false, suggested_action: expect.stringContaining('Read what is there') },
  });
});

test('R8.6 adversarial: a model that writes again and again without a look is refused each time, and the other side hears one', async () => {
  const attempt = await begin('stubborn');
  await steps(attempt, 4);

  expect(heard).toEqual(['put_note 1 again 1']);
  const tries = await toolTries(world.pool, attempt.ref);
  expect(tries.slice(1)).toEqual(tries.slice(1).map((row) => expect.objectContaining({ ...row, outcome: 'not_run' })));
  const effects = await rowsOf(world.pool, attempt.ref, 'select phase from effects where attempt = $1');
  expect(effects).toEqual([{ phase: 'NOT_COMMITTED' }]);
});

test('R8.6 writes that were proposed beside the conflict wait too, and those to another target do not', async () => {
  const attempt = await begin('beside');
  await steps(attempt, 1);
  expect(await codes(attempt)).toEqual(['OUTDATED', 'LOOK_FIRST', 'ok']);
  expect(heard).toEqual(['put_note 1 a', 'put_note 2 other']);
});

test('R8.6 a read that failed is no look, and one that shows no state of the world is none either', async () => {
  const attempt = await begin('badly-read');
  await steps(attempt, 3);
  expect(await codes(attempt)).toEqual(['OUTDATED', 'TOOL_CRASHED', 'ok', 'LOOK_FIRST']);
  expect(heard).toHaveLength(1);
});

test('R8.6 a tool that says neither what it acts on nor its operation is one target', async () => {
  const attempt = await begin('unnamed');
  await steps(attempt, 2);
  expect(await codes(attempt)).toEqual(['OUTDATED', 'LOOK_FIRST']);
  expect(heard).toEqual(['post 1 a']);
});

test.each([
  [
    'named',
    5,
    ['put_note', 'get_note', 'get_one_note', 'get_parcel'],
    ['OUTDATED', 'ok', 'ok', 'ok', 'LOOK_FIRST', 'ok', 'ok'],
  ],
  ['others-named', 5, ['put_note', 'get_note', 'get_parcel'], ['OUTDATED', 'ok', 'LOOK_FIRST', 'ok', 'ok']],
  ['only-others-named', 3, ['put_note', 'get_parcel'], ['OUTDATED', 'ok', 'ok']],
])(
  'R8.6 a look frees the target that it names; one that names nothing, what no read of the attempt names (%s)',
  async (task, count, own, expected) => {
    const attempt = await begin(task, own);
    await steps(attempt, count);
    expect(await codes(attempt)).toEqual(expected);
  },
);

test('R8.6 nobody is asked to approve what would be refused anyway', async () => {
  const attempt = await begin('asks');
  await steps(attempt, 2);
  expect(await codes(attempt)).toEqual(['OUTDATED', 'LOOK_FIRST']);
  expect(await rowsOf(world.pool, attempt.ref, 'select 1 from approvals where attempt = $1')).toEqual([]);
});

test.each([
  ['patches', 4, ['PATCH_CONFLICT', 'LOOK_FIRST', 'ok', 'LOOK_FIRST', 'ok', 'ok']],
  ['runs', 3, ['PATCH_CONFLICT', 'ok', 'ok']],
])(
  'R8.6 a patch that met other text holds up what would change the workspace until something of it was read (%s)',
  async (task, count, expected) => {
    const worker = { ...(await world.worker()), workspaces };
    const own = ['apply_patch', 'write_file', 'read_file', 'run_command', 'get_note'];
    const ref = await world.attempt({ task, contract: { kind: 'code_change', workspace: pit.spec, tools: own } });
    await createPrepare(worker)(callOf<'prepare'>(ref, 1, {}), never);
    const attempt = Object.assign(new AttemptDriver(worker, ref), { n: 1 });
    await steps(attempt, count);
    expect(await codes(attempt)).toEqual(expected);
  },
);
