import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { attemptDetails } from '../../src/ledger/queries/attempt-details';
import { eventPage } from '../../src/ledger/queries/event-page';
import type { AttemptRef } from '../../src/protocol/ids';
import { filesHash, readFiles } from '../../src/workspace/brought/read-files';
import { brokenInvariants } from '../support/ledger-invariants';
import { rowsOf } from '../support/ledger-rows';
import { tempFolder } from '../support/temp-folder';
import { gitIn } from '../workspace/support/sandpit';
import { done, run, test as visible, type WorkspaceWorld, workspaceWorld, write } from './support/workspace-world';

/** In the file, in what it prints, in its name and in the line that runs it: each begins so, and is to be found nowhere. */
const marker = 'SEALEDMARK';
const script = `echo "${marker}-output: value.txt is $(cat value.txt)"; grep -q "^right and good$" value.txt # ${marker}-content\n`;
/** More than an evidence row holds, so that the whole of it is kept as an object. */
const long = `i=0; while [ $i -lt 2000 ]; do echo "${marker}-line"; i=$((i+1)); done; false\n`;

const good = write('value.txt', 'right and good\n');
const bad = write('value.txt', 'right\n');
const attempts = {
  meets: { 1: good, 2: done },
  misses: { 1: bad, 2: done, 3: good, 4: done },
  boasts: { 1: write('value.txt', 'better\n'), 2: done, 3: good, 4: done },
  chatters: { 1: bad, 2: done },
  breaks: { 1: good, 2: done },
  asks: { 1: bad, 2: done },
  links: { 1: run('mkdir leak && ln -s "$PWD/leak" hidden && echo right > value.txt'), 2: done },
  // The pattern finds the marker and is none, so that what is looked for is never in the agent's own words.
  spies: {
    1: run(
      'timeout 5 grep -rsl "SEALED[M]ARK" /tmp /home /root /var /srv /etc "$PWD" "$PWD/../../../.."; echo searched',
    ),
    2: run('cat SEALED_FOLDER/hidden/*; ls SEALED_FOLDER; echo looked'),
    3: good,
    4: done,
  },
};

let world: WorkspaceWorld;
let folders: Record<string, string>;
const log: string[] = [];
beforeAll(async () => {
  // What the SDK says of activities goes there, and would hold the message of an error.
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => log.push(String(text)) > 0);
  const sealed = tempFolder('sealed-');
  folders = { hidden: suite(sealed, 'hidden', script), long: suite(sealed, 'long', long) };
  const text = JSON.stringify(attempts).replaceAll('SEALED_FOLDER', folders['hidden'] ?? '');
  world = await workspaceWorld(JSON.parse(text) as typeof attempts, {
    brought: folders,
    logger: pino({ level: 'trace' }, { write: (line: string) => log.push(line) }),
  });
  await world.startWorker();
});
afterAll(() => world.close());
afterEach(async () => expect(await brokenInvariants(world.pool)).toEqual([]));

function suite(at: string, name: string, content: string): string {
  const folder = join(at, name);
  mkdirSync(join(folder, 'hidden'), { recursive: true });
  writeFileSync(join(folder, 'hidden', `${marker}-name.sh`), content);
  chmodSync(join(folder, 'hidden', `${marker}-name.sh`), 0o755);
  return folder;
}

async function sealed(name: string) {
  const hash = filesHash(await readFiles(folders[name] ?? ''));
  const line = `sh hidden/${marker}-name.sh; exit $? # ${marker}-line`;
  return { id: 'final', check: 'command', sealed: true, run: line, files: { name, hash } } as const;
}
const change = async (task: keyof typeof attempts, files = 'hidden') =>
  world.change(task, { acceptance: [await sealed(files), visible] });

const checkedIn = async (ref: AttemptRef) =>
  (await world.events(ref)).filter(({ type }) => type === 'criterion_checked').map(({ payload }) => payload);
const sealedEvidence = (ref: AttemptRef) =>
  rowsOf<{ candidate: number; body: { output?: string; ran?: string; exitCode?: number } }>(
    world.pool,
    ref,
    'select candidate, body from sealed_evidence where attempt = $1 order by candidate',
  );

test('R3.4 a sealed test is made last, in a copy with its own files, and what meets it is completed', async () => {
  const ref = await change('meets');
  expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
  expect(await checkedIn(ref)).toEqual([
    { criterion: 'changed', met: true, candidate: 1 },
    { criterion: 'test', met: true, candidate: 1 },
    { criterion: 'final', met: true, candidate: 1 },
  ]);
  expect(gitIn(world.pit.repo, 'diff', '--name-only', 'main', `holdfast/${ref.id}`)).toBe('value.txt');
  const [found] = await sealedEvidence(ref);
  expect(found?.body.output).toContain(`${marker}-output: value.txt is right and good`);
});

test('R3.4 a candidate that falls short elsewhere is not shown to the sealed test', async () => {
  const ref = await change('boasts');
  expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
  expect((await sealedEvidence(ref)).map(({ candidate }) => candidate)).toEqual([2]);
});

test('R3.4 a sealed test that is not met ends the attempt without a word, and commits nothing', async () => {
  const ref = await change('misses');
  expect(await world.result(ref)).toEqual({ state: 'FAILED', reason: 'failed' });
  const types = (await world.events(ref)).map(({ type }) => type);
  expect(types).not.toContain('repair_requested');
  expect(types).not.toContain('committed');
  expect(gitIn(world.pit.repo, 'branch', '--list', `holdfast/${ref.id}`)).toBe('');
  expect(world.model.requests().filter(({ attempt }) => attempt === ref.id)).toHaveLength(2);
  const [found] = await sealedEvidence(ref);
  expect(found?.body).toMatchObject({ exitCode: 1, ran: expect.stringContaining(marker) });
});

test('R3.4 what was said meanwhile is no reason to go on with a candidate that a sealed test has ended', async () => {
  const ref = await world.change('asks', {
    acceptance: [{ ...(await sealed('hidden')), run: 'sleep 2; sh hidden/*.sh' }],
  });
  await world.until(ref, 'VERIFYING');
  await world.send(ref, { kind: 'say', body: { text: 'How is it going?' } });
  expect(await world.result(ref)).toEqual({ state: 'FAILED', reason: 'failed' });
});

test('R3.4 a test that cannot be made judges nothing, and its error stays with auditors', async () => {
  const ref = await world.change('breaks', {
    acceptance: [{ ...(await sealed('hidden')), files: { name: 'hidden', hash: '0'.repeat(64) } }],
  });
  expect(await world.stopped(ref)).toEqual({ state: 'WAITING_FOR_USER', reason: 'blocked' });
  expect((await checkedIn(ref)).at(-1)).toEqual({
    criterion: 'final',
    met: false,
    candidate: 1,
    code: 'FILES_CHANGED',
  });
});

test('R3.4 a link of the candidate does not lead the files of a sealed test to where the agent reads', async () => {
  const ref = await change('links');
  expect(await world.result(ref)).toEqual({ state: 'FAILED', reason: 'failed' });
  expect(await sealedEvidence(ref)).toMatchObject([{ body: { output: expect.stringContaining(`${marker}-output`) } }]);
  expect(markedFiles(world.dataDir())).toEqual([]);
});

test('R3.4 a command of the agent finds neither the files of a sealed test nor its copy', async () => {
  const ref = await change('spies');
  expect(await world.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
  const [first, second] = await rowsOf<{ text: string }>(
    world.pool,
    ref,
    "select body ->> 'text' as text from observations where attempt = $1 order by step",
  );
  expect(first?.text).toMatch(/exit code 0\nsearched/);
  expect(second?.text).toContain('looked');
  expect(second?.text).toContain('No such file or directory');
});

test('R3.4 no byte of a sealed test or of its output is in any request, history, log, table but its own, or document', async () => {
  const ref = await change('chatters', 'long');
  expect(await world.result(ref)).toEqual({ state: 'FAILED', reason: 'failed' });
  expect(await sealedEvidence(ref)).toMatchObject([{ body: { artifact: { bytes: expect.any(Number) } } }]);

  const own = ['contracts', 'sealed_evidence'];
  const { rows: tables } = await world.pool.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'holdfast' order by 1",
  );
  const leaks: string[] = [];
  for (const { name } of tables.filter((table) => !own.includes(table.name))) {
    const { rows } = await world.pool.query<{ row: string }>(`select t::text as row from holdfast.${name} t`);
    leaks.push(...rows.filter(({ row }) => told(row)).map(() => name));
  }
  const { rows: all } = await world.pool.query<{ tenant: string; id: string; key: string }>(
    "select tenant, task || '/' || number as id, key from attempts",
  );
  expect(all.length).toBeGreaterThan(6);
  for (const { tenant, id, key } of all) {
    const each: AttemptRef = { tenant, id, key: Number(key) };
    const documents = {
      history: historyText(await world.handle(each).fetchHistory()),
      show: JSON.stringify(await attemptDetails(world.pool, each)),
      events: JSON.stringify(await eventPage(world.pool, each, 0, 1_000)),
    };
    expect(documents.history).toContain('hasWorkspace'); // payloads are read as text
    for (const [what, text] of Object.entries(documents)) if (told(text)) leaks.push(`${what} of ${id}`);
  }
  const requests = world.model.requests().map(({ body }) => JSON.stringify(body()));
  expect(requests.length).toBeGreaterThan(10);
  expect(requests.join('')).toContain('A final test that is shown to nobody is met.');
  leaks.push(...requests.filter(told).map(() => 'request'), ...log.filter(told).map(() => 'log'));
  expect(leaks).toEqual([]);
  expect(log.join('')).toContain('Worker state changed');
});

test('R3.4 sealed tests wait for a worker of their own queue, and workers of the other never make one', async () => {
  const apart = await workspaceWorld({ waits: { 1: good, 2: done } }, { brought: folders });
  try {
    await apart.startWorker({ queues: ['main'] });
    const ref = await apart.change('waits', { acceptance: [visible, await sealed('hidden')] });
    await apart.until(ref, 'VERIFYING');
    const waiting = async () => {
      const { raw } = await apart.handle(ref).describe();
      return (raw.pendingActivities ?? []).map(({ activityType, attempt }) => [activityType?.name, attempt]);
    };
    for (let looks = 0; looks < 200 && !JSON.stringify(await waiting()).includes('verifySealed'); looks += 1)
      await sleep(50);
    expect(await waiting()).toEqual([['verifySealed', 1]]);
    const sealedWorker = await apart.startWorker({ queues: ['sealed'] });
    expect(await apart.result(ref)).toEqual({ state: 'COMPLETED', reason: 'success' });
    await sealedWorker.stop();
  } finally {
    await apart.close();
  }
});

const told = (text: string) => text.includes(marker);

/** Files below the folder that hold the marker. */
function markedFiles(folder: string): string[] {
  try {
    return execFileSync('grep', ['-rl', marker, folder], { encoding: 'utf8' }).trim().split('\n');
  } catch {
    return [];
  }
}

/** Every text in it, payloads included. */
function historyText(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (typeof value === 'object' && value !== null) return Object.values(value).map(historyText).join('\n');
  return typeof value === 'string' ? value : '';
}
