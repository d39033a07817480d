import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createProgram } from '../../src/cli/program';

const program = createProgram(() => {});
type Named = (typeof program.commands)[number];

/** Every command that does something, by all its words. */
function commandsOf(parent: Named, before = ''): readonly (readonly [string, Named])[] {
  return parent.commands.flatMap((command) => {
    const name = `${before}${command.name()}`;
    return command.commands.length === 0 ? [[name, command] as const] : commandsOf(command, `${name} `);
  });
}
const commands = commandsOf(program);

/** What `--help` prints, with what is added after it. */
function helpOf(command: Named): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
}

test('every command of this version is there', () => {
  const expected = [
    ['up', 'worker', 'gateway', 'demo', 'doctor', 'verify-ledger'],
    ['token create', 'token list', 'token revoke'],
    ['start', 'fork', 'say', 'cancel', 'suspend', 'resume'],
    ['inbox', 'approve', 'deny', 'effects', 'reconcile', 'compensate', 'revoke'],
    ['list', 'show', 'watch', 'events', 'replay'],
    ['policy check', 'policy explain'],
    ['contract evidence', 'contract unseal'],
  ];
  expect(commands.map(([name]) => name).toSorted()).toEqual(expected.flat().toSorted());
});

test('no message and no page tells anybody to run a command that is not there', () => {
  const root = resolve(__dirname, '../..');
  const files = ['src', 'docs', 'examples'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(root, folder, path)),
  );
  const texts = files.filter((path) => /\.(ts|md|yaml)$/.test(path)).map((path) => readFileSync(path, 'utf8'));
  const named = texts.flatMap((text) =>
    [...text.matchAll(/`(?:npm run )?holdfast (?:-- )?([a-z][a-z-]*)/g)].map(([, name]) => name),
  );
  const known: readonly (string | undefined)[] = program.commands.map((command) => command.name());
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
});

test.each(commands)('holdfast %s --help has an example, and --json and --tenant', (name, command) => {
  const help = helpOf(command);
  expect(help).toMatch(new RegExp(`\\nExample:\\n  \\$ holdfast ${name}`));
  expect(help).toMatch(/--json /);
  expect(help).toMatch(/--tenant <name> .*\(default: "default"\)/);
});

test.each(['start', 'fork', 'say', 'resume', 'compensate'])('holdfast %s can be watched and waited for', (name) => {
  const command = program.commands.find((known) => known.name() === name);
  expect(command && helpOf(command)).toMatch(/--watch [\s\S]*--wait /);
});
