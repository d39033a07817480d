import { type CliWorld, cliWorld } from './support/cli-world';

const transfer = { tool: 'wire_transfer', args: { iban: 'DE89370400440532013000', amount: 10 } };
const rules = `rules:
  - { id: payments, when: tool == "wire_transfer", decision: require_approval, channel: asserted }
`;
let world: CliWorld;
beforeAll(async () => {
  world = await cliWorld({ attempts: { pays: { 1: { calls: [transfer] }, 2: { text: 'It is paid.' } } } }, rules);
});
afterAll(() => world?.close());

test('R10.4 events are shown as each audience sees them, and from a cursor on', async () => {
  const { attemptId } = await world.json(3, 'start', world.task('pays', {}), '--wait', '--by', 'zoe');
  expect((await world.run('approve', attemptId, '--by', 'ana', '--wait')).code).toBe(0);
  const seen = async (...options: string[]) => {
    const { stdout } = await world.run('events', attemptId, '--json', ...options);
    return stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { event_type: string; sequence: number; payload: object });
  };
  const of = async (type: string, audience: string) =>
    (await seen('--audience', audience))
      .filter(({ event_type }) => event_type === type)
      .map(({ payload }) => Object.keys(payload));

  expect(await of('approval_requested', 'user')).toEqual(
    [['index', 'tool', 'binding', 'needed', 'expiresAt'].sort()].map((names) => expect.arrayContaining(names)),
  );
  expect((await of('approval_requested', 'user')).flat()).not.toContain('rule');
  expect((await of('approval_requested', 'operator')).flat()).toContain('rule');
  expect(await of('approval_answered', 'model')).toEqual([]);
  expect((await of('action_finished', 'model')).flat()).toContain('tool');

  const all = await seen();
  const cursor = all[2]?.sequence ?? 0;
  expect(await seen('--from', String(cursor))).toEqual(all.slice(3));
  const nothing = await world.run('events', attemptId, '--audience', 'model', '--from', '100000');
  expect(nothing).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('no event after 100000') });
});
