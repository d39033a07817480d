import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createWorkspaces } from '../../src/workspace/create-workspaces';
import { hasBubblewrap, id, never, running, type Sandpit, sandpit, writeIn } from './support/sandpit';

const kinds = hasBubblewrap ? (['bubblewrap', 'none'] as const) : (['none'] as const);
const children = new Set<ChildProcess>();

let pit: Sandpit;
let talk: string;
beforeEach(() => {
  pit = sandpit({ 'a.txt': 'one\n', '.gitignore': 'deps/\n' });
  talk = join(pit.folder, 'talk');
  mkdirSync(talk);
});
afterEach(async () => {
  for (const child of children) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }
  children.clear();
  pit.remove();
});

const told = (name: string) => JSON.parse(readFileSync(join(talk, name), 'utf8')) as unknown;

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe.each(kinds)('a frozen holder, sandbox: %s', (sandbox) => {
  const open = (waitMs = 50) => createWorkspaces({ dataDir: pit.data, sandbox, env: process.env, waitMs });
  const attempt = () => join(pit.data, 'workspaces/acme/attempts/repair/1');
  const worktrees = () => readdirSync(attempt()).filter((name) => /^w\d+$/.test(name));

  /** A worker that holds the worktree and is stopped while its command runs. */
  async function frozen(base: string, line: string, isRunning: () => boolean) {
    const script = join(__dirname, 'support', 'work-when-woken.cjs');
    const args = [script, pit.data, sandbox, JSON.stringify(id), base, talk, line];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
    children.add(child);
    await until(() => existsSync(join(talk, 'holds')) && isRunning());
    child.kill('SIGSTOP');
    return {
      root: String(told('holds')),
      async wake() {
        writeFileSync(join(talk, 'go'), '');
        child.kill('SIGCONT');
        await once(child, 'exit');
      },
    };
  }

  test('E10 keeps its worktree and loses its processes; the next owner works in a fresh one, and nothing of the zombie gets there', async () => {
    const workspaces = open();
    const { base } = await workspaces.prepare(
      id,
      { ...pit.spec, setup: ['mkdir -p deps node_modules; touch deps/x node_modules/m'] },
      never,
    );
    const zombie = await frozen(base, 'sleep 9191', () => running('sleep 9191').length > 0);

    const owner = await workspaces.exclusive(id, base, never, async (root) => {
      expect(root).not.toBe(zombie.root);
      expect(running('sleep 9191')).toEqual([]);
      expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\n');
      writeIn(root, { 'b.txt': 'the owner’s' });
      const layer = await workspaces.exec(id, 'ls -d deps/x node_modules/m', { timeoutMs: 20_000, signal: never });
      return layer.output;
    });
    expect(owner.value).toBe('deps/x\nnode_modules/m\n');
    expect(readFileSync(join(zombie.root, 'a.txt'), 'utf8')).toBe('half done');

    await zombie.wake();
    expect(told('worked')).toEqual({ before: 'signalled', after: 'WORKSPACE_BUSY' });
    expect(told('result')).toBe('WORKSPACE_BUSY');
    expect(readFileSync(join(zombie.root, 'late.txt'), 'utf8')).toBe('of a zombie');
    expect(running('sleep 9191')).toEqual([]);

    const root = await workspaces.root(id, owner.snapshot, never);
    expect(existsSync(join(root, 'late.txt'))).toBe(false);
    const next = await workspaces.exclusive(id, owner.snapshot, never, async (at) => {
      expect(at).toBe(root);
      writeIn(at, { 'c.txt': 'later' });
    });
    expect((await workspaces.changedFiles(id, base, next.snapshot)).map(({ path }) => path)).toEqual([
      'b.txt',
      'c.txt',
    ]);
    expect(existsSync(zombie.root)).toBe(false); // its holder is gone
    expect(worktrees()).toEqual(['w2']);
  });

  test('E10 a reader too gets the snapshot, and not what a frozen holder has half done', async () => {
    const workspaces = open();
    const { base } = await workspaces.prepare(id, pit.spec, never);
    await frozen(base, 'sleep 9192', () => running('sleep 9192').length > 0);
    const root = await workspaces.root(id, base, never);
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\n');
    expect(running('sleep 9192')).toEqual([]);
    expect(worktrees()).toEqual(['w1', 'w2']); // the frozen one's stays with it
  });

  test('E10 a frozen holder that is killed later leaves its worktree to be removed', async () => {
    const workspaces = open();
    const { base } = await workspaces.prepare(id, pit.spec, never);
    await frozen(base, 'sleep 9193', () => running('sleep 9193').length > 0);
    await workspaces.exclusive(id, base, never, async () => {});
    const [child] = children;
    child?.kill('SIGKILL');
    await once(child as ChildProcess, 'exit');
    await workspaces.exclusive(id, base, never, async () => {});
    expect(worktrees()).toEqual(['w2']);
  });

  test('R11.3 after killAll a frozen holder starts nothing when it wakes', async () => {
    const workspaces = open();
    const { base } = await workspaces.prepare(id, pit.spec, never);
    const zombie = await frozen(base, 'sleep 9194', () => running('sleep 9194').length > 0);
    await workspaces.killAll(id);
    expect(running('sleep 9194')).toEqual([]);
    await zombie.wake();
    expect(told('worked')).toEqual({ before: 'signalled', after: 'WORKSPACE_BUSY' });
  });

  test('E10 a holder that is about to end is waited for, and keeps the worktree in one place', async () => {
    const { base } = await open().prepare(id, pit.spec, never);
    writeFileSync(join(talk, 'go'), '');
    const script = join(__dirname, 'support', 'work-when-woken.cjs');
    const child = spawn(process.execPath, [script, pit.data, sandbox, JSON.stringify(id), base, talk, 'sleep 0.3'], {
      stdio: 'inherit',
    });
    children.add(child);
    await until(() => existsSync(join(talk, 'holds')));
    const seen = await open(30_000).exclusive(id, base, never, async (root) => [
      root,
      existsSync(join(root, 'late.txt')),
    ]);
    expect(seen.value).toEqual([told('holds'), false]);
    expect(told('result')).toBe('done');
  });
});
