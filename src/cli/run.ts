import { type Command, CommanderError } from 'commander';
import { type ExitCode, exitCodes } from './exit-codes';
import { createProgram } from './program';
import { reportError } from './report-error';

/** Runs one command line, says on standard error what went wrong, and resolves to the exit code. Never rejects. */
export async function runCommandLine(args: readonly string[]): Promise<ExitCode> {
  let code: ExitCode = exitCodes.done;
  const program = createProgram((ended) => {
    code = ended;
  });
  for (const command of withSubcommands(program)) {
    command.exitOverride().showHelpAfterError('Add --help for the options and an example.');
  }
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    // Commander has said it already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    return reportError(error);
  }
}

function withSubcommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}
