import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createProgram } from '../../src/cli/program';

const program = createProgram(() => {});

/** What `--help` prints, with what is added after it. */
function helpOf(command: (typeof program.commands)[number]): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
}

test('every command of this version is there', () => {
  expect(program.commands.map((command) => command.name()).toSorted()).toEqual(
    ['up', 'demo', 'start', 'say', 'list', 'show', 'watch', 'cancel', 'replay', 'doctor'].toSorted(),
  );
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

test.each(program.commands.map((command) => [command.name(), command] as const))(
  'holdfast %s --help has an example, and --json and --tenant',
  (name, command) => {
    const help = helpOf(command);
    expect(help).toMatch(new RegExp(`\\nExample:\\n  \\$ holdfast ${name}`));
    expect(help).toMatch(/--json /);
    expect(help).toMatch(/--tenant <name> .*\(default: "default"\)/);
  },
);

test.each(['start', 'say'])('holdfast %s can be watched and waited for', (name) => {
  const command = program.commands.find((known) => known.name() === name);
  expect(command && helpOf(command)).toMatch(/--watch [\s\S]*--wait /);
});
