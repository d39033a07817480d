import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createWorkspaces } from '../../src/workspace/create-workspaces';
import { hasBubblewrap, id, never, running, type Sandpit, sandpit } from './support/sandpit';

jest.setTimeout(60_000); // processes start slowly on a busy machine
const kinds = hasBubblewrap ? (['bubblewrap', 'none'] as const) : (['none'] as const);
const script = (name: string) => join(__dirname, 'support', name);
const children = new Set<ChildProcess>();

let pit: Sandpit;
beforeEach(() => {
  pit = sandpit({ 'a.txt': 'one\n' });
});
afterEach(async () => {
  for (const child of children) await kill(child);
  pit.remove();
});

function start(name: string, ...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [script(name), ...args], { stdio: ['ignore', 'inherit', 'inherit'] });
  children.add(child);
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  children.delete(child);
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe.each(kinds)('sandbox: %s', (sandbox) => {
  const open = (waitMs?: number) =>
    createWorkspaces({ dataDir: pit.data, sandbox, env: process.env, ...(waitMs === undefined ? {} : { waitMs }) });

  test('E10 a worktree of a killed worker is taken over at once: its processes are dead, its half-done work is gone', async () => {
    const workspaces = open();
    const { base } = await workspaces.prepare(id, pit.spec, never);
    const line = 'touch began; (setsid sleep 9181 &) ; sleep 9181';
    const holder = start('hold-worktree.cjs', pit.data, sandbox, JSON.stringify(id), base, line, 'tree');
    const root = await workspaces.root(id);
    await until(() => existsSync(join(root, 'began')) && running('sleep 9181').length > 0);
    await kill(holder);

    const seen = await workspaces.exclusive(id, base, never, async () => ({
      left: running('sleep 9181'),
      text: readFileSync(join(root, 'a.txt'), 'utf8'),
      began: existsSync(join(root, 'began')),
    }));
    expect(seen).toEqual({ value: { left: [], text: 'one\n', began: false }, snapshot: base });
  });

  test('R11.3 killAll ends what a killed worker left, without taking the worktree', async () => {
    const workspaces = open();
    const { base } = await workspaces.prepare(id, pit.spec, never);
    const holder = start(
      'hold-worktree.cjs',
      pit.data,
      sandbox,
      JSON.stringify(id),
      base,
      'touch began; setsid sleep 9182 & sleep 9182',
      'tree',
    );
    const root = await workspaces.root(id);
    await until(() => existsSync(join(root, 'began')));
    await kill(holder);
    await workspaces.killAll(id);
    expect(running('sleep 9182')).toEqual([]);
  });

  test('E10 a live holder in another process is waited for, bounded, and then the answer is WORKSPACE_BUSY', async () => {
    const { base } = await open().prepare(id, pit.spec, never);
    const holder = start(
      'hold-worktree.cjs',
      pit.data,
      sandbox,
      JSON.stringify(id),
      base,
      'touch began; sleep 9183',
      'tree',
    );
    const root = await open().root(id);
    await until(() => existsSync(join(root, 'began')));
    await expect(open(200).exclusive(id, base, never, async () => 1)).rejects.toMatchObject({
      failure: { class: 'tool_transient', code: 'WORKSPACE_BUSY' },
    });
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('half done'); // a live holder's work is left alone
    const waiting = open(30_000).exclusive(id, base, never, async () => 1);
    await kill(holder);
    expect(await waiting).toEqual({ value: 1, snapshot: base });
  });

  test('a clean copy of a killed worker is swept with its processes when the next one is made', async () => {
    const workspaces = open();
    const { base } = await workspaces.prepare(id, pit.spec, never);
    const holder = start(
      'hold-worktree.cjs',
      pit.data,
      sandbox,
      JSON.stringify(id),
      base,
      'setsid sleep 9184 & sleep 9184',
      'clean',
    );
    await until(() => running('sleep 9184').length > 0);
    await kill(holder);
    const [repository = ''] = readdirSync(join(pit.data, 'workspaces/acme/repositories'));
    const clean = join(pit.data, 'workspaces/acme/repositories', repository, 'clean');
    expect(readdirSync(clean)).not.toEqual([]);
    await workspaces.execClean(id, base, 'true', { timeoutMs: 20_000, signal: never });
    expect(readdirSync(clean)).toEqual([]);
    expect(running('sleep 9184')).toEqual([]);
  });
});

test('a lock between processes loses no count, also when holders are killed', async () => {
  const file = join(pit.folder, 'count');
  writeFileSync(file, '0');
  const folder = join(pit.folder, 'lock');
  const counters = [1, 2, 3].map(() => start('count-under-lock.cjs', folder, file, '40'));
  await Promise.all(counters.map((child) => once(child, 'exit')));
  expect(readFileSync(file, 'utf8')).toBe('120');

  const victim = start('count-under-lock.cjs', folder, file, '100000');
  await until(() => Number(readFileSync(file, 'utf8')) > 130);
  await kill(victim);
  const before = Number(readFileSync(file, 'utf8'));
  await once(start('count-under-lock.cjs', folder, file, '10'), 'exit');
  expect(Number(readFileSync(file, 'utf8'))).toBe(before + 10);
  expect(readdirSync(folder).filter((name) => name.startsWith('lock.'))).toHaveLength(1);
});
