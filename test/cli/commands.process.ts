import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { type ScriptedModel, startScriptedModel } from '../../src/models/scripted/scripted-model';
import { tempFolder } from '../support/temp-folder';
import { commandLine } from './support/command-line';

/** One `up` for all: everything embedded, a scripted model, and the commands as a user types them. */
const folder = tempFolder('holdfast-cli-');
const { run, start } = commandLine(folder);
/** Fetching the servers on a machine that has none takes a while. */
const upTimeoutMs = 300_000;

let model: ScriptedModel;
let up: ReturnType<typeof start>;

beforeAll(async () => {
  model = await startScriptedModel({
    transcript: {
      attempts: {
        hello: { 1: { text: 'Hello yourself.' } },
        choice: {
          1: {
            text: 'One moment.',
            calls: [{ tool: 'ask_user', args: { question: 'Which one?', choices: ['a', 'b'] } }],
          },
          2: { text: 'Then it is done.' },
        },
        stuck: { 1: { calls: [{ tool: 'finish', args: { status: 'blocked', summary: 'No key.' } }] } },
      },
    },
  });
  const configured = { provider: 'openai-compatible', model: 'scripted', baseUrl: model.url, quick: true };
  const price = { inputPerMTok: 1, outputPerMTok: 4 };
  const headers = { 'X-Step': '{attempt}/{step}' };
  const nokey = { ...configured, apiKey: { env: 'NOBODY_SETS_THIS' } };
  writeFileSync(
    join(folder, 'holdfast.yaml'),
    stringify({ models: { default: { ...configured, price, headers }, nokey } }),
  );
  for (const name of ['hello', 'choice', 'stuck']) task(name, {});
  up = start('up', '--json');
  await up.output('"models"');
}, upTimeoutMs);

afterAll(async () => {
  up.child.kill('SIGINT');
  await up.ended;
  await model.stop();
}, upTimeoutMs);

function task(name: string, change: object): string {
  const file = join(folder, `${name}.yaml`);
  writeFileSync(file, stringify({ task: name, kind: 'dialog', goal: 'Talk.', input: 'Hello?', ...change }));
  return file;
}
const json = (text: string) => JSON.parse(text);

test('R2.3 start --wait ends with 0 at COMPLETED, and again gives that result', async () => {
  const first = await run('start', 'hello.yaml', '--wait', '--json');
  expect(first.code).toBe(0);
  expect(json(first.stdout)).toMatchObject({
    attemptId: 'hello/1',
    taskId: 'hello',
    workflowId: 'attempt/default/hello/1',
    runId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    outcome: 'created',
    state: 'COMPLETED',
    reason: 'success',
    pending: [],
  });

  const second = await run('start', 'hello.yaml', '--json');
  expect(json(second.stdout)).toMatchObject({ attemptId: 'hello/1', outcome: 'completed_before', state: 'COMPLETED' });
  const third = await run('start', 'hello.yaml', '--again', '--wait');
  expect(third).toMatchObject({ code: 0, stdout: expect.stringContaining('Started hello/2') });
});

test('R2.3 a question ends the waiting with 3; say answers it, and the attempt goes on', async () => {
  const asked = await run('start', 'choice.yaml', '--wait', '--json');
  expect(asked.code).toBe(3);
  expect(json(asked.stdout)).toMatchObject({
    state: 'WAITING_FOR_USER',
    reason: 'waiting_for_user',
    pending: [{ kind: 'question', actionId: 'choice/1/s1.a0', text: 'Which one?', choices: ['a', 'b'] }],
  });

  const other = await run('start', 'choice.yaml', '--input', 'Something else.');
  expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('holdfast say choice/1') });
  expect(other.stderr).toContain('--new');

  const said = await run('say', 'choice', 'a', '--wait', '--by', 'ana');
  expect(said).toMatchObject({ code: 0, stdout: expect.stringContaining('COMPLETED (success)') });
  const later = await run('say', 'choice/1', 'b', '--wait');
  expect(later).toMatchObject({ code: 3, stdout: expect.stringContaining('choice/2') }); // the Thread's next turn asks again
});

test('R3.2 watch says at a pause what is asked and how to answer, stays, and shows the answer', async () => {
  await run('start', 'choice.yaml', '--new', '--wait');
  const { attemptId } = json((await run('show', '@last', '--json')).stdout);
  const watching = start('watch', attemptId);
  const paused = await watching.output('Waiting; Ctrl-C');
  expect(paused).toMatch(/waits for +Which one\?\n +choices: a \| b\n/);
  expect(paused).toContain(`holdfast say ${attemptId} "…"`);

  await run('say', attemptId, 'The first.');
  const { code, stdout } = await watching.ended;
  expect(code).toBe(0);
  expect(stdout.match(/Waiting; /g)).toHaveLength(1);
  expect(stdout).toMatch(/say taken “The first\.”[\s\S]*COMPLETED \(success\)/);
});

test('R8.4 a model that refuses is named as the reason by show, list and --json', async () => {
  const waited = await run('start', task('refused', { model: 'nokey' }), '--wait', '--json');
  expect(waited.code).toBe(3);
  expect(json(waited.stdout).pending).toEqual([
    expect.objectContaining({ text: expect.stringContaining('no key for model "nokey"'), command: expect.any(String) }),
  ]);
  const { code } = json(waited.stdout).trouble;
  expect((await run('show', 'refused')).stdout).toMatch(/waits for +model nokey failed: [\s\S]*any word then/);
  expect((await run('list')).stdout).toContain(`blocked · ${code}`);
});

test('R11.3 cancel --wait ends a paused attempt with 4', async () => {
  expect((await run('start', 'stuck.yaml', '--wait')).code).toBe(3);
  const shown = await run('show', 'stuck');
  expect(shown.stdout).toMatch(
    /state +WAITING_FOR_USER \(blocked\)[\s\S]*waits for +No key\.[\s\S]*holdfast say stuck\/1/,
  );

  const cancelled = await run('cancel', 'stuck', '--reason', 'enough', '--wait', '--json');
  expect(cancelled.code).toBe(4);
  expect(json(cancelled.stdout)).toMatchObject({ state: 'CANCELLED', reason: 'cancelled' });
});

test('R10.2 watch gives every event once, from any cursor, and ends with the attempt', async () => {
  await run('start', 'hello.yaml', '--wait');
  const all = await run('watch', 'hello/1', '--json');
  const events = all.stdout.trimEnd().split('\n').map(json);
  expect(all.code).toBe(0);
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
  expect(events.at(-1)).toMatchObject({ event_type: 'ended' });

  const rest = await run('watch', 'hello/1', '--json', '--from', '2');
  expect(rest.stdout.trimEnd().split('\n').map(json)).toEqual(events.slice(2));
  expect((await run('watch', 'hello/1')).stdout).toMatch(/“Hello yourself\.”[\s\S]*COMPLETED \(success\)/);
});

test('list is tab-separated in a pipe, and one document with --json', async () => {
  await run('start', 'hello.yaml', '--wait');
  const listed = json((await run('list', '--json')).stdout);
  expect(listed).toContainEqual(expect.objectContaining({ attemptId: 'hello/1', state: 'COMPLETED' }));
  const [head, ...rows] = (await run('list')).stdout.trimEnd().split('\n');
  expect(head?.split('\t').slice(0, 3)).toEqual(['attempt', 'kind', 'state']);
  expect(rows).toHaveLength(listed.length);
  expect(json((await run('list', '--json', '--tenant', 'other')).stdout)).toEqual([]);
});

test('replay says that a history of today fits the code of today', async () => {
  await run('start', 'hello.yaml', '--wait');
  const { code, stdout } = await run('replay', 'hello/1', '--json');
  expect(code).toBe(0);
  expect(json(stdout)).toMatchObject({ attemptId: 'hello/1', fits: true, runs: [{ fits: true }] });
});

test('doctor finds everything that `up` runs', async () => {
  const { checks } = json((await run('doctor', '--json')).stdout);
  const failed = checks.filter((check: { ok: boolean; required: boolean }) => check.required && !check.ok);
  expect(failed).toEqual([]);
  expect(checks.map((check: { name: string }) => check.name)).toEqual(
    expect.arrayContaining(['models', 'Temporal', 'search attributes', 'PostgreSQL']),
  );
});

test.each([
  [['show', 'nobody'], 'has no attempt "nobody"'],
  [['start', 'none.yaml'], 'cannot read none.yaml'],
  [
    ['start', 'hello.yaml', '--model', 'big'],
    'hello.yaml:1:1: model: no model is named "big"; there are default, nokey',
  ],
  [['say', 'hello/1', ' '], 'says nothing'],
  [['list', '--tenant', 'No Name'], 'is no tenant name'],
  [['watch', 'hello/1', '--from', 'x'], 'whole number'],
  [['start', '.'], '. is a folder.'],
  [['up'], 'already runs on'],
])('holdfast %j is told what is wrong, and ends with 2', async (args, expected) => {
  expect(await run(...args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(expected) });
});

test.each([
  ['a folder that is not there', (git: string) => rmSync(git, { recursive: true }), 'does not exist'],
  ['a folder without a repository', () => {}, 'is no git repository'],
  [
    'a repository without a commit',
    (git: string) => execFileSync('git', ['-C', git, 'init', '-q']),
    'has no commit "HEAD"',
  ],
])('a workspace that is %s is refused before anything starts', async (_what, prepare, expected) => {
  const git = tempFolder('holdfast-cli-repo-');
  prepare(git);
  const acceptance = [{ id: 'tests', check: 'command', run: 'true' }];
  const file = task('broken', { kind: 'code_change', workspace: { git }, acceptance });
  expect(await run('start', file)).toMatchObject({ code: 2, stderr: expect.stringContaining(expected) });
  expect((await run('show', 'broken')).code).toBe(2);
});

test('a task file is found from the folder that npm was called in', async () => {
  const fromElsewhere = commandLine(tempFolder('holdfast-cli-cwd-'), {
    HOLDFAST_CALLED_FROM: folder,
    HOLDFAST_DATA_DIR: join(folder, '.holdfast'),
    HOLDFAST_CONFIG: join(folder, 'holdfast.yaml'),
  });
  expect(await fromElsewhere.run('start', 'hello.yaml', '--wait')).toMatchObject({ code: 0 });
});

test('where nothing runs, a command says so and how to start it, and ends with 5', async () => {
  const elsewhere = commandLine(tempFolder('holdfast-cli-none-'));
  expect(await elsewhere.run('list')).toMatchObject({
    code: 5,
    stderr: expect.stringMatching(/is not running on [\s\S]*holdfast up/),
  });
});

test.each([
  [
    { DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/x', TEMPORAL_ADDRESS: '127.0.0.1:1' },
    'The database 127.0.0.1:1/x cannot be reached',
  ],
])('servers that do not answer end with 5, are named, and their password is not', async (env, expected) => {
  const { code, stderr } = await commandLine(folder, env).run('list');
  expect(code).toBe(5);
  expect(stderr).toContain(expected);
  expect(stderr).not.toContain('hunter2');
});

test('Temporal that does not answer ends with 5, and nothing is started', async () => {
  const { databaseUrl } = json(readFileSync(join(folder, '.holdfast/state.json'), 'utf8'));
  const lost = commandLine(folder, { DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: '127.0.0.1:1' });
  const file = task('lost', {});
  expect(await lost.run('start', file)).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('Temporal at 127.0.0.1:1 cannot be reached'),
  });
  expect((await run('show', 'lost')).code).toBe(2);
});

test('--help loads nothing that runs servers, databases or models', () => {
  const script = `require(${JSON.stringify(join(__dirname, '../../dist/cli/program.js'))}).createProgram(() => {}).helpInformation();
    console.log(JSON.stringify(Object.keys(require.cache)))`;
  const loaded: string[] = json(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }));
  expect(loaded.filter((file) => /node_modules\/(?!commander\/)/.test(file))).toEqual([]);
});
