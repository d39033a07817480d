import { setTimeout as sleep } from 'node:timers/promises';
import { loadBody, storeBody } from '../../src/activities/bodies';
import type { ArtifactPort } from '../../src/activities/ports';
import { createFileStore } from '../../src/artifacts/file-store';
import { forkAttempt } from '../../src/ledger/fork-attempt';
import { checkpointList } from '../../src/ledger/queries/checkpoint-list';
import { markWorkflowStarted } from '../../src/ledger/start-attempt';
import { type AttemptRef, actionId } from '../../src/protocol/ids';
import { startAttemptWorkflow } from '../../src/temporal/start-workflow';
import { type AttemptWorld, attemptWorld } from '../support/attempt-world';
import { effectRows } from '../support/effect-rows';
import { Gate } from '../support/gate';
import { brokenInvariants } from '../support/ledger-invariants';
import { observations } from '../support/ledger-rows';
import { tempFolder } from '../support/temp-folder';
import { ok, tool } from '../support/test-tools';
import { gitIn } from '../workspace/support/sandpit';
import { blocked, call, done, run, type WorkspaceWorld, workspaceWorld, write } from './support/workspace-world';

/** As the command line does it: the rows, and then the workflow. */
async function fork(world: AttemptWorld, from: AttemptRef, at: string | undefined, artifacts: ArtifactPort) {
  const outcome = await forkAttempt(world.pool, {
    from,
    ...(at !== undefined && { at: Number(at.slice(at.lastIndexOf('/c') + 2)) }),
    snapshot: { flow: 1, stepsPerRun: 100, searchAttributes: false },
    versions: { holdfast: '9' },
    texts: {
      store: (text) => storeBody(artifacts, from.tenant, text),
      load: (body) => loadBody(artifacts, from.tenant, body),
    },
  });
  if (outcome.kind !== 'forked') throw new Error(outcome.detail);
  const { ref, snapshot } = outcome.attempt;
  await startAttemptWorkflow(world.client, ref, snapshot);
  await markWorkflowStarted(world.pool, ref);
  return ref;
}
const ask = call('ask_user', { question: 'Go on?' });
const saying = (text: string) => ({ kind: 'say', body: { text } }) as const;

describe('files', () => {
  const attempts = {
    branches: {
      1: write('note.txt', 'first\n'),
      2: ask,
      3: write('note.txt', 'second\n'),
      4: run('echo lost >> value.txt; exit 1'),
      5: blocked,
    },
    'branches/2': {
      1: call('read_file', { path: 'note.txt' }),
      2: run('cat value.txt'),
      3: write('value.txt', 'right\n'),
      4: done,
    },
    'branches/3': { 1: call('read_file', { path: 'note.txt' }), 2: blocked },
  };
  let world: WorkspaceWorld;
  beforeAll(async () => {
    world = await workspaceWorld(attempts);
    await world.startWorker();
  });
  afterAll(() => world.close());
  afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));
  const store = () => createFileStore(`${world.dataDir()}/objects`);

  test('R12.3 a fork has the files of its checkpoint, and goes its own way from there', async () => {
    const ref = await world.change('branches');
    await world.until(ref, 'WAITING_FOR_USER');
    const [early] = (await checkpointList(world.pool, ref)).slice(-1);
    await world.send(ref, saying('Yes, a secret word.'));
    expect(await blockedAt(ref, 5)).toEqual({ state: 'WAITING_FOR_USER', reason: 'blocked' });

    const second = await fork(world, ref, early?.checkpoint, store());
    expect(second.id).toBe('branches/2');
    expect(await world.result(second)).toEqual({ state: 'COMPLETED', reason: 'success' });
    const seen = await observations(world.pool, second);
    expect(seen[0]).toMatchObject({ ok: true, text: expect.stringContaining('first') });
    expect(seen[1]?.text).toContain('wrong');
    expect(seen[1]?.text).not.toContain('lost');
    expect(gitIn(world.pit.repo, 'show', 'holdfast/branches/2:note.txt')).toBe('first');
    // The user's later word and the later steps are not of its past.
    expect(world.shown()).not.toContain('secret word');
    expect(world.shown()).toContain('goes on from an earlier one');
    const created = (await world.events(second))[0];
    expect(created).toMatchObject({ type: 'attempt_created', payload: { forkedFrom: early?.checkpoint } });

    // The newest checkpoint has the newest files, and the other attempt's are what they were.
    const third = await fork(world, ref, undefined, store());
    expect(await world.stopped(third)).toEqual({ state: 'WAITING_FOR_USER', reason: 'blocked' });
    expect((await observations(world.pool, third))[0]?.text).toContain('second');
    const { rows } = await world.pool.query('select snapshot from attempts where key = any($1)', [
      [ref.key, third.key],
    ]);
    expect(new Set(rows.map(({ snapshot }) => snapshot)).size).toBe(1);
  });

  /** The pause after this step. */
  async function blockedAt({ key }: AttemptRef, step: number) {
    for (let looks = 0; looks < 600; looks += 1) {
      const { rows } = await world.pool.query(
        'select state, reason from attempts where key = $1 and step >= $2 and reason is not null',
        [key, step],
      );
      if (rows[0]) return rows[0];
      await sleep(50);
    }
    throw new Error('It did not come to rest.');
  }
});

describe('effects', () => {
  /** What the other side has had, whoever sent it. */
  const had: string[] = [];
  let silent = false;
  const pay = tool({
    name: 'pay',
    effect: 'unsafe',
    run: ({ to }) => {
      had.push(String(to));
      if (silent) throw new Error('The line is dead.');
      return ok(`paid ${to}`);
    },
  });
  const prepares = new Gate();
  const wire = tool({
    name: 'wire',
    effect: 'unsafe',
    run: ({ to }) => {
      had.push(String(to));
      return ok(`paid ${to}`);
    },
    write: {
      prepare: async (args) => {
        await prepares.pass();
        return args;
      },
    },
  });
  const paying = (to: string) => call('pay', { to });
  const text = (said: string) => ({ text: said });
  let world: AttemptWorld;
  const objects = createFileStore(tempFolder('holdfast-fork-objects-'));
  beforeAll(async () => {
    world = await attemptWorld({
      transcript: {
        attempts: {
          pays: { 1: paying('ana'), 2: ask, 3: paying('ben'), 4: ask },
          'pays/2': { 1: paying('ana'), 2: paying('ben'), 3: paying('ana'), 4: text('Paid.') },
          doubts: { 1: paying('eva'), 2: ask },
          'doubts/2': { 1: paying('eva'), 2: text('Paid.') },
          prepares: { 1: call('wire', { to: 'ida' }), 2: text('Paid.') },
          'prepares/2': { 1: call('wire', { to: 'ida' }), 2: text('Paid.') },
        },
      },
      tools: [pay, wire],
    });
    await world.startWorker();
  });
  afterAll(() => world.close());
  beforeEach(() => {
    had.splice(0);
    silent = false;
  });
  afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

  test('R12.3, E1 what an ancestor did is known to its fork and not done again; what is meant besides is', async () => {
    const ref = await world.start({ task: 'pays' });
    await world.until(ref, 'WAITING_FOR_USER');
    const [early] = (await checkpointList(world.pool, ref)).slice(-1);
    await world.send(ref, saying('Yes.'));
    for (let looks = 0; looks < 400 && had.length < 2; looks += 1) await sleep(50);
    expect(had).toEqual(['ana', 'ben']);

    const second = await fork(world, ref, early?.checkpoint, objects);
    expect(await world.result(second)).toEqual({ state: 'COMPLETED', reason: 'success' });
    // The third call is the second one to Ana, of which the ancestor made one.
    expect(had).toEqual(['ana', 'ben', 'ana']);
    expect(await observations(world.pool, second)).toMatchObject([
      { ok: true, text: 'paid ana' },
      { ok: true, text: 'paid ben' },
      { ok: true, text: 'paid ana' },
    ]);
    expect(await effectRows(world.pool, second)).toMatchObject([{ step: 3, index: 0, phase: 'COMMITTED' }]);
    expect((await world.events(second)).filter(({ type }) => type === 'effect_reused')).toHaveLength(2);
  });

  test('R12.3, E7 an effect of which nobody knows yet stands in the way of its fork, until a person says what became of it', async () => {
    silent = true;
    const ref = await world.start({ task: 'doubts' });
    await world.until(ref, 'RECONCILING');
    silent = false;
    const second = await fork(world, ref, undefined, objects);
    await world.until(second, 'WAITING_FOR_EFFECT');
    expect(had).toEqual(['eva']);

    const body = {
      actionId: actionId(ref.id, 1, 0),
      outcome: 'committed',
      by: 'ana',
      evidence: 'The account says so.',
    } as const;
    await world.send(ref, { kind: 'reconcile', body });
    expect(await world.result(second)).toEqual({ state: 'COMPLETED', reason: 'success' });
    expect(had).toEqual(['eva']);
    expect(await observations(world.pool, second)).toMatchObject([{ ok: true }]);
    expect(await effectRows(world.pool, second)).toEqual([]);
  });

  test('R12.3, E2 what an ancestor is about to send is waited for by its fork, and answers it', async () => {
    const ref = await world.start({ task: 'prepares' });
    await prepares.reached(1);
    const second = await fork(world, ref, undefined, objects);
    await world.until(second, 'WAITING_FOR_EFFECT');
    expect(had).toEqual([]);

    prepares.open();
    expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
    expect(await world.result(second)).toEqual({ state: 'COMPLETED', reason: 'success' });
    expect(had).toEqual(['ida']);
    expect(await effectRows(world.pool, second)).toEqual([]);
  });
});
