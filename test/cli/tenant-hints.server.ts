import { until } from '../support/gate';
import { type CliWorld, cliWorld } from './support/cli-world';
import type { Ran } from './support/command-line';

/** Every command that is printed for another tenant than the default one can be typed as it stands there. */

const transfer = { tool: 'wire_transfer', args: { iban: 'DE89370400440532013000', amount: 10 } };
const look = { tool: 'lookup_order', args: { orderId: '1042' } };
const attempts = {
  talk: { 1: { text: 'It is blue.' } },
  waits: { 1: { calls: [transfer] }, 2: { text: 'As you say.' } },
  spends: { 1: { calls: [look] }, 2: { calls: [{ ...look, args: { orderId: '1043' } }] }, 3: { text: 'Done.' } },
  asks: { 1: { calls: [{ tool: 'ask_user', args: { question: 'Which one?' } }] }, 2: { text: 'So it is.' } },
};
const tenant = 'acme';
let world: CliWorld;
beforeAll(async () => {
  world = await cliWorld({ attempts }, 'rules:\n  - { id: reads, when: effect == "none", decision: allow }\n');
});
afterAll(() => world?.close());

const run = (...args: string[]): Promise<Ran> => world.run(...args, '--tenant', tenant);

/** What a person could copy out of it, where it is about attempts. */
function commandsIn({ stdout, stderr }: Ran): readonly string[] {
  const text = `${stdout}${stderr}`;
  const bare = [...text.matchAll(/^(?:answer|or) +(holdfast .*)$/gm)].map(([, command]) => command ?? '');
  const quoted = [...text.matchAll(/(`|")(holdfast (?:(?!\1).)+)\1/g)].map(([, , command]) => command ?? '');
  return [...bare, ...quoted].filter((command) => !/^holdfast (up|doctor|demo|policy check)\b/.test(command));
}

test('R12.5 each command that is printed names the tenant it is about', async () => {
  const seen: string[] = [];
  const silent: string[] = [];
  /** `least`: commands that it must print. */
  const looked = async (least: number, ...args: string[]) => {
    const ran = await run(...args);
    const commands = commandsIn(ran);
    if (commands.length < least) silent.push(`${args.join(' ')} printed: ${ran.stdout}${ran.stderr}`);
    seen.push(...commands);
  };
  const settled = (attempt: string) =>
    until(async () => {
      const { code, stdout, stderr } = await run('show', attempt, '--json');
      if (code !== 0) throw new Error(stderr);
      return JSON.parse(stdout).reason !== null;
    }, `${attempt} settles`);

  await looked(1, 'list');
  await looked(1, 'show', 'nobody');
  await looked(1, 'start', world.task('talk', {}));
  await settled('talk/1');
  await looked(0, 'start', world.task('talk', {}));
  await looked(1, 'say', 'talk/1', 'No.', '--revise');
  await looked(1, 'say', 'talk/1', 'Why?');
  await looked(1, 'cancel', 'talk/1');

  await looked(2, 'start', world.task('waits', {}), '--watch', '--wait');
  await looked(1, 'start', world.task('waits', { input: 'Something else.' }));
  await looked(2, 'show', 'waits/1');
  await looked(2, 'inbox');
  await looked(1, 'approve', 'waits/1', 's9.a0', '--by', 'ana');
  await looked(1, 'approve', 'waits/1', 's1.a0', '--by', 'nobody');
  await looked(1, 'resume', 'waits/1');
  await looked(1, 'suspend', 'waits/1');
  await looked(1, 'suspend', 'waits/1');
  await looked(1, 'say', 'waits/1', 'Later.');
  await looked(1, 'approve', 'waits/1', '--by', 'ana');
  await looked(1, 'approve', 'waits/1', 's1.a0', '--by', 'ben');
  await looked(1, 'resume', 'waits/1');
  await settled('waits/1');
  await looked(1, 'approve', 'waits/1');
  await looked(1, 'reconcile', 'waits/1', 's1.a0', '--committed', '--evidence', 'seen', '--by', 'ana');
  await looked(0, 'compensate', 'waits/1', 's1.a0');
  await looked(1, 'fork', 'waits/1', '--at', 'c999');
  await looked(1, 'fork', 'waits/1', '--at', 'soon');
  await looked(1, 'policy', 'explain', 'waits/1', 's9.a9');
  await looked(1, 'revoke', '--tool', 'no_such_tool', '--reason', 'a test');
  await looked(1, 'revoke', '--approval', 'nothing', '--reason', 'a test');

  await looked(2, 'start', world.task('spends', { budget: { maxToolCalls: 1 }, tools: ['lookup_order'] }), '--wait');
  await looked(2, 'resume', 'spends/1');
  await looked(1, 'start', world.task('asks', {}), '--wait');

  expect(silent).toEqual([]);
  expect(seen.filter((command) => !`${command} `.includes(` --tenant ${tenant} `))).toEqual([]);
  expect(new Set(seen.map((command) => command.split(' ')[1])).size).toBeGreaterThan(8);
});
