import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { createWorkspaces } from '../../src/workspace/create-workspaces';
import { attemptWorld } from '../support/attempt-world';

/** What must be found nowhere afterwards. */
const marker = 'ghp_MARKER';

/** An operator whose git configuration holds a token, which git repeats when the source cannot be reached. */
function operatorsWorkspaces(dataDir: string) {
  const home = join(dataDir, 'operator');
  mkdirSync(home);
  const rewritten = `[url "http://ana:${marker}@127.0.0.1:1/"]\n\tinsteadOf = https://git.example/\n`;
  writeFileSync(join(home, '.gitconfig'), rewritten);
  return createWorkspaces({ dataDir, sandbox: 'auto', env: { PATH: process.env['PATH'], HOME: home } });
}

test("R10.4 a token in the operator's configuration reaches no table, no history and no log", async () => {
  const log: string[] = [];
  const world = await attemptWorld({
    transcript: { entries: [{ text: 'never asked' }] },
    workspaces: operatorsWorkspaces,
    logger: pino({ level: 'trace' }, { write: (line: string) => log.push(line) }),
  });
  try {
    await world.startWorker();
    const ref = await world.start({
      contract: {
        kind: 'code_change',
        acceptance: [{ id: 'changed', check: 'diff' }],
        workspace: { git: 'https://git.example/repo', ref: 'main', setup: 'auto' },
      },
    });
    await world.stopped(ref);

    const failed = (await world.events(ref)).find(({ type }) => type === 'workspace_failed');
    expect(failed?.payload['detail']).toContain('http://127.0.0.1:1/');
    const { rows: tables } = await world.pool.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'holdfast' order by 1",
    );
    expect(tables.map(({ name }) => name)).toContain('events');
    for (const { name } of tables) {
      const { rows } = await world.pool.query<{ row: string }>(`select t::text as row from holdfast.${name} t`);
      expect({ name, leaked: rows.filter(({ row }) => row.includes(marker)) }).toEqual({ name, leaked: [] });
    }
    const history = historyText(await world.handle(ref).fetchHistory());
    expect(history).toContain('hasWorkspace'); // payloads are read as text
    expect(history).not.toContain(marker);
    expect(log.join('')).not.toContain(marker);
  } finally {
    await world.close();
  }
});

/** Every text in it, payloads included. */
function historyText(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (typeof value === 'object' && value !== null) return Object.values(value).map(historyText).join('\n');
  return typeof value === 'string' ? value : '';
}
