import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identify } from '../../../src/workspace/process/process-table';
import { finished } from '../../cli/support/command-line';
import { tempFolder } from '../../support/temp-folder';
import { endAll, mcpWorld, shopTools, stdio, wrapped } from './support/mcp-world';

afterEach(endAll);

const registerSwc = join(__dirname, '../../support/register-swc.cjs');
const client = join(__dirname, '../../../src/client.ts');
const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
};
/** Pids of the servers that were started on the folder. */
const started = (folder: string): readonly number[] =>
  readFileSync(join(folder, 'log'), 'utf8')
    .trim()
    .split('\n')
    .flatMap((line) => JSON.parse(line).started ?? []);
const running = (folder: string) => started(folder).filter((pid) => identify(pid) !== undefined);

/** Servers that do not look at the end of their input, and one that hears no SIGTERM either. */
const stubborn = [
  ['lingering', 'as it is', stdio],
  ['deaf', 'as it is', stdio],
  ['lingering', 'behind a wrapper', (folder: string, mode: string) => wrapped(stdio(folder, mode))],
  ['deaf', 'behind a wrapper', (folder: string, mode: string) => wrapped(stdio(folder, mode))],
] as const;

describe('R11.3 a server that does not end with its input', () => {
  test.each(stubborn)('%s, %s: is ended when it is closed, and nothing of it is left', async (mode, _, server) => {
    const folder = tempFolder('holdfast-mcp-');
    const world = await mcpWorld({ shop: { ...server(folder, mode), tools: shopTools } }, { folder });
    expect(running(folder)).toHaveLength(1);
    await world.started.close();
    await until(() => running(folder).length === 0); // what was killed is gone a moment later
    await world.started.close();
  });

  test.each(stubborn)('%s, %s: dies with a worker that is killed', async (mode, _, server) => {
    const folder = tempFolder('holdfast-mcp-');
    writeFileSync(join(folder, 'holdfast.yaml'), JSON.stringify({ mcp: { shop: server(folder, mode) } }));
    const worker = spawn(process.execPath, [join(__dirname, 'support/killed-worker.cjs'), folder], {
      stdio: 'inherit',
    });
    expect(await once(worker, 'exit')).toEqual([null, 'SIGKILL']);
    expect(started(folder)).toHaveLength(1);
    await until(() => running(folder).length === 0);
  });
});

test('R11.3 a server that dies leaves nothing behind that it had started', async () => {
  const folder = tempFolder('holdfast-mcp-');
  const { command, args } = stdio(folder, 'well');
  const helper = `trap '' TERM; echo $$ > ${join(folder, 'helper')}; exec sleep 600`;
  const server = { command: 'sh', args: ['-c', 'sh -c "$0" & exec "$@"', helper, command, ...args], tools: shopTools };
  const world = await mcpWorld({ shop: server }, { folder });
  // It is started beside the server, which may be there before it.
  const helperPid = () =>
    existsSync(join(folder, 'helper')) ? Number(readFileSync(join(folder, 'helper'), 'utf8')) : 0;
  await until(() => helperPid() > 0);
  const first = helperPid();
  expect(identify(first)).toBeDefined();
  await world.read('fail', { as: 'die' });
  await until(() => identify(first) === undefined);
  expect(await world.read('look', { what: 'again' })).toMatchObject({ ok: true });
});

test('`holdfast policy check` returns, whatever a server makes of its end', async () => {
  const folder = tempFolder('holdfast-mcp-');
  const mcp = { shop: { ...wrapped(stdio(folder, 'deaf')), tools: shopTools } };
  writeFileSync(join(folder, 'holdfast.yaml'), JSON.stringify({ mcp }));
  const command = spawn(process.execPath, ['-r', registerSwc, client, 'policy', 'check'], {
    cwd: folder,
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  expect(await finished(command)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('the policy that Holdfast'),
  });
  await until(() => running(folder).length === 0); // what was killed is gone a moment later
});
