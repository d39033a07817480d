import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { WorkspacePort } from '../../src/activities/ports';
import { createWorkspaces } from '../../src/workspace/create-workspaces';
import { runProcess } from '../../src/workspace/process/run-process';
import { findSandbox } from '../../src/workspace/sandbox/sandbox';
import { gitIn, hasBubblewrap, id, never, running, type Sandpit, sandpit } from './support/sandpit';

/** A sandbox and a shell in it begin well within this, ms, also where every core is busy. */
const beginsInMs = 3_000;

const kinds = hasBubblewrap ? (['bubblewrap', 'none'] as const) : (['none'] as const);

describe.each(kinds)('commands, sandbox: %s', (sandbox) => {
  let pit: Sandpit;
  let workspaces: WorkspacePort;
  let base: string;
  beforeEach(async () => {
    pit = sandpit({ 'a.txt': 'one\n', '.gitignore': 'build/\n' });
    workspaces = createWorkspaces({ dataDir: pit.data, sandbox, env: { ...process.env, SECRET_TOKEN: 'hunter2' } });
    ({ base } = await workspaces.prepare(id, pit.spec, never));
  });
  afterEach(() => pit.remove());

  const exec = async (line: string, timeoutMs = 20_000, signal = never) =>
    (await workspaces.exclusive(id, base, never, () => workspaces.exec(id, line, { timeoutMs, signal }))).value;

  test('a command’s output comes in order, with its exit code', async () => {
    expect(await exec('echo out; echo err >&2; echo out again; exit 3')).toMatchObject({
      end: 'exited',
      exitCode: 3,
      output: 'out\nerr\nout again\n',
      outputBytes: 18,
    });
  });

  test('a script may open its outputs again by name, and what a leftover writes is still in order', async () => {
    const { output } = await exec(
      'echo one > /dev/stderr; echo two | tee /dev/stdout /dev/stderr; (sleep 60; echo late) & echo three',
    );
    expect(output).toBe('one\ntwo\ntwo\ntwo\nthree\n');
  });

  test('bad input: 100 MB printed keep head and tail in bounded memory', async () => {
    const before = process.memoryUsage().rss;
    const result = await exec('echo first; head -c 100000000 /dev/zero | tr "\\0" x; echo; echo last');
    expect(result).toMatchObject({ end: 'exited', exitCode: 0, outputBytes: 100_000_012 });
    expect(result.output).toMatch(/^first\nx+\n\[… \d+ bytes left out …\]\nx+\nlast\n$/);
    expect(result.output.length).toBeLessThan(300_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(80_000_000);
  });

  test('R11.1 a command that never ends is ended with all of its children, which had time to clean up', async () => {
    const result = await exec('trap "echo cleaned" TERM; echo began; sleep 9171 & wait; exit 1', beginsInMs);
    expect(result).toMatchObject({ end: 'timed_out', exitCode: null, output: 'began\ncleaned\n' });
    expect(running('sleep 9171')).toEqual([]);
  });

  test('R11.1 one that ignores TERM is killed', async () => {
    expect(await exec('trap "" TERM; sleep 9172; sleep 9172', 200)).toMatchObject({ end: 'timed_out' });
    expect(running('sleep 9172')).toEqual([]);
  });

  test.each([
    ['in the background', 'sleep 9173 &'],
    ['with nohup', 'nohup sleep 9173 >/dev/null 2>&1 &'],
    ['in a session of its own', 'setsid sleep 9173 >/dev/null 2>&1 &'],
    ['after a double fork', '( ( setsid sleep 9173 & ) & ) ;'],
    ['holding the output open', '(trap "" TERM HUP; setsid sleep 9173) &'],
  ])('R11.1 children %s do not outlive their command', async (_, line) => {
    expect(await exec(`${line} sleep 0.1; echo done`)).toMatchObject({
      end: 'exited',
      output: 'done\n',
    });
    expect(running('sleep 9173')).toEqual([]);
  });

  test('R11.1 an abort ends the command at once and everything of it is dead when the call rejects', async () => {
    const cancel = new AbortController();
    const run = exec('setsid sleep 9174 & sleep 9174; sleep 9174', 60_000, cancel.signal);
    setTimeout(() => cancel.abort(new Error('cancelled')), 300);
    await expect(run).rejects.toThrow('cancelled');
    expect(running('sleep 9174')).toEqual([]);
  });

  test('R11.3 killAll ends a running command from outside', async () => {
    const root = await workspaces.root(id, base, never);
    const run = exec('touch build-started; setsid sleep 9175 & sleep 9175', 60_000);
    while (!existsSync(join(root, 'build-started'))) await new Promise((resolve) => setTimeout(resolve, 10));
    await workspaces.killAll(id);
    expect(running('sleep 9175')).toEqual([]);
    expect((await run).end).not.toBe('not_started');
  });

  test('nothing of the worker’s environment is the command’s, but what is on the list', async () => {
    const { output } = await exec('env; cat /proc/self/environ | tr "\\0" "\\n"');
    expect(output).not.toContain('hunter2');
    expect(output).toMatch(/^PATH=/m);
    expect(output).not.toContain(`HOME=${homedir()}\n`);
    expect(output).not.toMatch(/node_modules/);
  });

  test('the toolchain of the worker is there', async () => {
    expect(await exec('node --version && npm --version && git --version')).toMatchObject({ exitCode: 0 });
  });

  test('git shows all changes since the base, and its folder cannot be harmed', async () => {
    const { value } = await workspaces.exclusive(id, base, never, () =>
      workspaces.exec(id, 'echo two > a.txt; git diff --stat; git status --short; git log --oneline | wc -l', {
        timeoutMs: 20_000,
        signal: never,
      }),
    );
    expect(value.output).toContain('a.txt | 2 +-');
    expect(value.output).toContain(' M a.txt');
  });

  test('a shell that stops itself reports a signal or its code, and never an open end', async () => {
    const result = await exec('kill -9 $$');
    expect(['signalled', 'exited']).toContain(result.end);
    expect(result.exitCode === null || result.exitCode === 137).toBe(true);
  });

  test('output that is no text is made text, without NUL', async () => {
    expect((await exec('printf "a\\000b\\377c"')).output).toBe('a\uFFFDb\uFFFDc');
  });

  test('E10 a command that was cut off leaves nothing: the next one begins at the snapshot', async () => {
    const cancel = new AbortController();
    const run = exec('echo half > a.txt; mkdir -p build; touch build/x new; sleep 9176', 60_000, cancel.signal);
    setTimeout(() => cancel.abort(new Error('cancelled')), 300);
    await expect(run).rejects.toThrow('cancelled');
    expect((await exec('cat a.txt; ls -A build new 2>/dev/null')).output).toBe('one\n');
  });

  test('folders that nobody may enter do not stop the next try', async () => {
    await expect(
      workspaces.exclusive(id, base, never, async () => {
        await workspaces.exec(
          id,
          'mkdir -p locked/deep && touch locked/deep/x && chmod 000 locked/deep locked && rm a.txt',
          { timeoutMs: 20_000, signal: never },
        );
        throw new Error('died');
      }),
    ).rejects.toThrow('died');
    expect((await exec('ls; cat a.txt')).output).toBe('a.txt\none\n');
  });

  test('a command that breaks .git breaks it for itself alone', async () => {
    await exec('rm -rf .git; git init -q . ; git config core.fsmonitor "touch /tmp/owned-by-fsmonitor"; true').catch(
      () => undefined,
    );
    const after = await workspaces.exclusive(id, base, never, async (root) => readFileSync(join(root, '.git'), 'utf8'));
    expect(after.value).toMatch(/^gitdir: .*mirror\.git\/worktrees\//);
    expect(existsSync('/tmp/owned-by-fsmonitor')).toBe(false);
    expect(gitIn(await workspaces.root(id, base, never), 'rev-parse', 'HEAD')).toBe(base);
  });
});

test('this machine’s sandbox is bubblewrap, or the finding says why not', async () => {
  const found = await findSandbox('auto');
  expect(found).toMatchObject(
    hasBubblewrap ? { kind: 'bubblewrap' } : { kind: 'none', detail: expect.stringMatching(/\w/) },
  );
});

if (hasBubblewrap)
  describe('the sandbox', () => {
    let pit: Sandpit;
    let workspaces: WorkspacePort;
    let base: string;
    beforeAll(async () => {
      pit = sandpit();
      workspaces = createWorkspaces({ dataDir: pit.data, sandbox: 'bubblewrap', env: process.env });
      ({ base } = await workspaces.prepare(id, pit.spec, never));
    });
    afterAll(() => pit.remove());
    const exec = async (line: string) =>
      (
        await workspaces.exclusive(id, base, never, () =>
          workspaces.exec(id, line, { timeoutMs: 20_000, signal: never }),
        )
      ).value;

    test('E10 has no network: what runs in it can be run again', async () => {
      const line = `node -e "require('net').connect(53, '1.1.1.1').on('error', (e) => { console.log(e.code); process.exit(7) }).on('connect', () => process.exit(0))"`;
      expect(await exec(line)).toMatchObject({ exitCode: 7, output: 'ENETUNREACH\n' });
      expect((await exec('cat /proc/net/dev | tail -n +3 | cut -d: -f1')).output.trim()).toBe('lo');
    });

    test('shows nothing of the user’s home, of the data folder, of the source, or of the machine’s secrets', async () => {
      const hidden = [
        `${homedir()}/.npmrc`,
        `${homedir()}/.ssh`,
        `${homedir()}/.bashrc`,
        '/etc/shadow',
        '/var/run',
        join(pit.repo, 'a.txt'),
        '/home',
      ];
      const seen = await exec(hidden.map((path) => `test -e ${path} && echo ${path}`).join(';'));
      expect(seen.output).toBe('');
      const siblings = await exec('ls ../..; ls ..');
      expect(siblings.output).toBe('w1\ntree\n');
    });

    test.each([
      '/usr/x',
      '/etc/x',
      '/x',
      '.git',
      '$(git rev-parse --git-dir)/x',
      '$(git rev-parse --git-common-dir)/config',
    ])('lets nobody write %s', async (path) => {
      expect((await exec(`echo x > ${path}`)).exitCode).not.toBe(0);
    });

    test('sees and signals no process but its own', async () => {
      const { output } = await exec(`kill -0 ${process.pid} 2>/dev/null && echo seen; ls /proc | grep -cE '^[0-9]+$'`);
      expect(output).not.toContain('seen');
      expect(Number(output.trim())).toBeLessThan(10);
    });

    test('R11.1 nothing survives in it, also with an empty environment and no parent', async () => {
      await exec('( ( env -i setsid sleep 9177 >/dev/null 2>&1 & ) & ) ; sleep 0.2');
      expect(running('sleep 9177')).toEqual([]);
    });

    test('a private /tmp is empty each time', async () => {
      await exec('echo x > /tmp/left');
      expect((await exec('ls -A /tmp | grep left')).output).toBe('');
    });

    test('a sandbox that was demanded and cannot start is not_started, never a failed command', async () => {
      const result = await workspaces.exclusive(id, base, never, async (root) => {
        return runProcess({
          argv: ['bwrap', '--no-such-option'],
          env: { PATH: '/usr/bin:/bin' },
          cwd: root,
          timeoutMs: 5_000,
          signal: never,
        });
      });
      expect(result.value).toMatchObject({
        end: 'not_started',
        exitCode: null,
        output: expect.stringContaining('no-such-option'),
      });
    });
  });
