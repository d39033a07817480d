import { styleText } from 'node:util';
import { InputError } from '../located-yaml/input-error';
import { NewerEventError } from '../protocol/upcast-event';
import { RequestRefused } from '../requests/request-refused';
import { CliError } from './cli-error';
import { type ExitCode, exitCodeOfRefusal, exitCodes } from './exit-codes';

/** Says on standard error what went wrong and what to do next. Returns the exit code. */
export function reportError(error: unknown): ExitCode {
  const { exitCode, message, next } = described(error);
  process.stderr.write(`${styleText('red', 'error:', { stream: process.stderr })} ${message}\n`);
  if (next !== undefined) process.stderr.write(`${next}\n`);
  return exitCode;
}

function described(error: unknown): { exitCode: ExitCode; message: string; next?: string | undefined } {
  if (error instanceof CliError) return { exitCode: error.exitCode, message: error.message, next: error.next };
  if (error instanceof RequestRefused)
    return { exitCode: exitCodeOfRefusal[error.code], message: error.message, next: error.next };
  if (error instanceof InputError) return { exitCode: exitCodes.usage, message: error.message, next: error.next };
  if (error instanceof NewerEventError)
    return { exitCode: exitCodes.failed, message: error.message, next: 'Install the Holdfast that the workers run.' };
  // Not foreseen, so the place in the code is what helps.
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    exitCode: exitCodes.failed,
    message,
    next: 'This is a fault of Holdfast itself; `holdfast doctor` shows what it runs on.',
  };
}
