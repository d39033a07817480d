import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createCommit } from '../../src/activities/commit';
import { createPrepare } from '../../src/activities/prepare';
import { createRecord } from '../../src/activities/record';
import { insertMessage } from '../../src/ledger/inbox';
import type { AttemptRef } from '../../src/protocol/ids';
import { createWorkspaces } from '../../src/workspace/create-workspaces';
import { type ActivityWorld, activityWorld, callOf, never } from '../support/activity-world';
import { AttemptDriver } from '../support/attempt-driver';
import { brokenInvariants } from '../support/ledger-invariants';
import { eventTypes } from '../support/ledger-rows';
import { tempFolder } from '../support/temp-folder';
import { commitIn, gitIn, sandpit } from '../workspace/support/sandpit';

const pit = sandpit({ 'a.txt': 'one\n' });
const workspaces = createWorkspaces({ dataDir: tempFolder('holdfast-commit-'), sandbox: 'auto', env: process.env });
let world: ActivityWorld;
beforeAll(async () => {
  world = await activityWorld({ entries: [{ from: 1, text: 'Done.' }] });
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

/** The worker dies when the branch is there, and nobody was told. */
const dying = {
  ...workspaces,
  async commit(...args: Parameters<typeof workspaces.commit>): Promise<string | undefined> {
    await workspaces.commit(...args);
    throw new Error('the worker died here');
  },
};

/** `changes`: whether the attempt has written a file of its own name. */
async function prepared(task: string, { changes = true }: { readonly changes?: boolean } = {}) {
  const worker = { ...(await world.worker()), workspaces };
  const ref = await world.attempt({
    task,
    contract: { kind: 'code_change', workspace: pit.spec, acceptance: [{ id: 'changed', check: 'diff' }] },
  });
  await createPrepare(worker)(callOf<'prepare'>(ref, 1, {}), never);
  if (changes) {
    const { snapshot: base } = await worker.ledger.attempt(ref);
    const id = { tenant: ref.tenant, attempt: ref.id };
    const { snapshot } = await workspaces.exclusive(id, base ?? '', never, async (root) =>
      writeFileSync(join(root, `${task}.txt`), 'done\n'),
    );
    await world.pool.query('update attempts set snapshot = $2 where key = $1', [ref.key, snapshot]);
  }
  return { worker, ref, call: callOf<'commit'>(ref, 2, { candidate: 1 }) };
}

test('M5 a commit whose worker died after it had published is told as committed, whatever cancel came meanwhile', async () => {
  const { worker, ref, call } = await prepared('dies');
  await expect(createCommit({ ...worker, workspaces: dying })(call, never)).rejects.toThrow('died here');
  await insertMessage(world.pool, ref, { id: 'c', kind: 'cancel', body: { by: 'ana' } });

  const again = await createCommit({ ...(await world.worker()), workspaces })(call, never);

  expect(again.answer).toEqual({ kind: 'committed' });
  expect(again.named).toBeUndefined();
  expect(await eventTypes(world.pool, ref)).toContain('committed');
  // The cancel is left for the next call, which is the end, and that tells its sender.
  const next = await createRecord(worker)(callOf<'record'>(ref, 3, { at: 'flush' }), never);
  expect(next).toMatchObject({ answer: { kind: 'cancel' }, named: [{ id: 'c', as: 'taken' }] });
});

test('R3.3 a result says how it goes onto the branch that it began at, as that is when it is committed', async () => {
  const { worker, ref, call } = await prepared('meets');
  commitIn(pit.repo, { 'meets.txt': 'theirs\n' });
  expect((await createCommit(worker)(call, never)).answer).toEqual({ kind: 'committed' });
  const { rows } = await world.pool.query(
    "select payload -> 'fit' as fit from events where attempt = $1 and type = 'committed'",
    [ref.key],
  );
  expect(rows).toEqual([{ fit: { kind: 'conflicts', behind: 1, paths: ['meets.txt'] } }]);
});

test('R2.5 an attempt that changed nothing hands over no commit, and says so', async () => {
  const { worker, ref, call } = await prepared('unchanged', { changes: false });
  expect((await createCommit(worker)(call, never)).answer).toEqual({ kind: 'committed' });
  expect(gitIn(pit.repo, 'branch', '--list', `holdfast/${ref.id}`)).toBe('');
  const types = await eventTypes(world.pool, ref);
  expect(types).toContain('nothing_changed');
  expect(types).not.toContain('committed');
});

test('M5 a cancel that is there before the commit wins: nothing is published', async () => {
  const { worker, ref, call } = await prepared('cancelled');
  await insertMessage(world.pool, ref, { id: 'c', kind: 'cancel', body: { by: 'ana' } });
  expect((await createCommit(worker)(call, never)).answer).toEqual({ kind: 'interrupted' });
  expect(gitIn(pit.repo, 'branch', '--list', `holdfast/${ref.id}`)).toBe('');
});

test('M2 a branch that is there with other content is a refusal that people can read, not three lost calls', async () => {
  const { worker, ref, call } = await prepared('taken');
  commitIn(pit.repo, { 'a.txt': 'somebody else\n' });
  gitIn(pit.repo, 'branch', `holdfast/${ref.id}`);

  expect((await createCommit(worker)(call, never)).answer).toEqual({
    kind: 'failed',
    failure: { class: 'state_conflict', code: 'BRANCH_EXISTS' },
  });
  const { rows } = await world.pool.query("select payload from events where attempt = $1 and type = 'commit_failed'", [
    ref.key,
  ]);
  expect(rows).toEqual([{ payload: expect.objectContaining({ code: 'BRANCH_EXISTS', branch: `holdfast/${ref.id}` }) }]);
});

/** As the workflow comes to a commit: a step was proposed, and its candidate holds. */
async function verified(task: string) {
  const { worker, ref } = await prepared(task);
  const attempt = new AttemptDriver(worker, ref);
  attempt.n = 1;
  expect((await attempt.think()).answer).toMatchObject({ kind: 'proposal', stop: { kind: 'text' } });
  const evidence = { candidate: 1, criterion: 'changed', met: true, snapshot: null };
  const body = { check: 'diff', detail: 'It changed.' } as const;
  await worker.ledger.transact(ref, { n: 2 }, (tx) => tx.insert('evidence', { ...evidence, body }));
  const commit = (n: number, by = worker) => createCommit(by)(callOf<'commit'>(ref, n, { candidate: 1 }), never);
  return { worker, ref, attempt, commit };
}
const revise = (ref: AttemptRef, text = 'Do the other file.', by = 'ana') =>
  insertMessage(world.pool, ref, { id: 'r', kind: 'say', body: { text, by, revise: true } });
const branchOf = (ref: AttemptRef) => gitIn(pit.repo, 'branch', '--list', `holdfast/${ref.id}`);

test('R1.2 R2.5 a goal revised after its candidate was verified: the old goal’s result is not committed, and the next turn has the new goal', async () => {
  const { ref, attempt, commit } = await verified('revised');
  await revise(ref);

  expect(await commit(3)).toMatchObject({
    answer: { kind: 'said', turn: 2 },
    named: [{ id: 'r', as: 'taken' }],
  });
  expect(branchOf(ref)).toBe('');
  expect(await eventTypes(world.pool, ref)).toEqual(expect.arrayContaining(['goal_revised']));

  attempt.n = 3;
  attempt.turn = 2;
  await attempt.think();
  expect(JSON.stringify(world.model.requests().at(-1)?.body())).toContain('Do the other file.');
  // What is proposed for the new goal is committed.
  expect((await commit(5)).answer).toEqual({ kind: 'committed' });
  expect(branchOf(ref)).not.toBe('');
});

test('R1.2 R9.1 a goal revised while the commit of its candidate was suspended is a reason to go back all the same', async () => {
  const { ref, attempt, commit } = await verified('revised-in-pause');
  await attempt.record({ at: 'pause', state: 'SUSPENDED', reason: 'suspended' });
  await revise(ref);
  await insertMessage(world.pool, ref, { id: 'go', kind: 'resume', body: { by: 'ana' } });
  expect((await attempt.record({ at: 'pause', state: 'SUSPENDED', reason: 'suspended' })).answer).toEqual({
    kind: 'resume',
  });
  expect((await commit(5)).answer).toEqual({ kind: 'said', turn: 2 });
  expect(branchOf(ref)).toBe('');
});

test('M8 R9.1 a word that was taken while the commit was suspended is heard before anything is committed', async () => {
  const { ref, attempt, commit } = await verified('said-in-pause');
  const suspended = { at: 'pause', state: 'SUSPENDED', reason: 'suspended' } as const;
  await attempt.record(suspended);
  await insertMessage(world.pool, ref, { id: 'w', kind: 'say', body: { text: 'Leave the other file.', by: 'ana' } });
  expect(await attempt.record(suspended)).toMatchObject({ named: [{ id: 'w', as: 'taken' }] });
  await insertMessage(world.pool, ref, { id: 'go', kind: 'resume', body: { by: 'ana' } });
  expect((await attempt.record(suspended)).answer).toEqual({ kind: 'resume' });

  expect((await commit(6)).answer).toEqual({ kind: 'said', turn: 2 });
  expect(branchOf(ref)).toBe('');
  attempt.n = 6;
  attempt.turn = 2;
  await attempt.think();
  expect(JSON.stringify(world.model.requests().at(-1)?.body())).toContain('Leave the other file.');
  expect((await commit(8)).answer).toEqual({ kind: 'committed' });
});

test('R1.2 a revision that is refused stops no commit, and a word that revises nothing waits', async () => {
  const { ref, commit } = await verified('refused-revision');
  await revise(ref, 'x'.repeat(4_001));
  await insertMessage(world.pool, ref, { id: 'w', kind: 'say', body: { text: 'Thanks.', by: 'ana' } });
  expect(await commit(3)).toMatchObject({ answer: { kind: 'committed' }, named: [{ id: 'r', as: 'rejected' }] });
});

test('R1.2 M8 a goal revised once the commit is under way is too late, and its sender is told so', async () => {
  const { worker, ref, attempt, commit } = await verified('too-late');
  const inFlight = {
    ...worker,
    workspaces: {
      ...workspaces,
      async commit(...args: Parameters<typeof workspaces.commit>): Promise<string | undefined> {
        await revise(ref);
        return await workspaces.commit(...args);
      },
    },
  };
  expect((await commit(3, inFlight)).answer).toEqual({ kind: 'committed' });
  attempt.n = 3;
  const ended = await attempt.record({ at: 'end', state: 'COMPLETED', reason: 'success', candidate: 1 });
  expect(ended).toMatchObject({
    answer: { kind: 'ended', state: 'COMPLETED' },
    named: [{ id: 'r', as: 'rejected', why: expect.stringContaining('COMPLETED') }],
  });
  expect(await eventTypes(world.pool, ref)).not.toContain('goal_revised');
});

test('M5 R2.5 a commit that was under way is not turned back, whatever was revised since: its branch may be there', async () => {
  const { worker, ref, attempt, commit } = await verified('under-way');
  await expect(commit(3, { ...worker, workspaces: dying })).rejects.toThrow('died here');
  // No call takes a message between the two executions; the row is written as if one had.
  await worker.ledger.transact(ref, { n: 2 }, (tx) => tx.update({ revisedAfterStep: attempt.step }));

  expect((await commit(3)).answer).toEqual({ kind: 'committed' });
  expect(branchOf(ref)).not.toBe('');
});

test('R1.2 M4 a revision that races a commit is heard before it or too late, and never both', async () => {
  const outcomes = new Set<string>();
  for (let round = 0; round < 12; round += 1) {
    const { ref, attempt, commit } = await verified(`race-${round}`);
    const [{ answer }] = await Promise.all([
      commit(3),
      setTimeout(round % 4).then(() => revise(ref).catch(() => undefined)),
    ]);
    outcomes.add(answer.kind);
    const committed = answer.kind === 'committed';
    expect(branchOf(ref) !== '').toBe(committed);
    attempt.n = 3;
    if (committed) await attempt.record({ at: 'end', state: 'COMPLETED', reason: 'success', candidate: 1 });
    const types = await eventTypes(world.pool, ref);
    expect(types.includes('goal_revised')).toBe(!committed);
    expect(types.includes('message_rejected')).toBe(committed);
  }
  expect([...outcomes].every((kind) => kind === 'committed' || kind === 'said')).toBe(true);
});
