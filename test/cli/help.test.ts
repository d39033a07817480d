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
