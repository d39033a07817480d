import { styleText } from 'node:util';
import type { SealProblem } from '../domain/contract/sealed';
import { SealBrokenError } from '../ledger/hold-seal';
import { InputError } from '../located-yaml/input-error';
import { CliError } from './cli-error';
import { type ExitCode, exitCodes } from './exit-codes';

/** Says on standard error what went wrong and what to do next. Returns the exit code. */
export function reportError(error: unknown): ExitCode {
  const { exitCode, message, next } = described(error);
  process.stderr.write(`${styleText('red', 'error:', { stream: process.stderr })} ${message}\n`);
  if (next !== undefined) process.stderr.write(`${next}\n`);
  return exitCode;
}

function described(error: unknown): { exitCode: ExitCode; message: string; next?: string | undefined } {
  if (error instanceof CliError) return { exitCode: error.exitCode, message: error.message, next: error.next };
  if (error instanceof InputError) return { exitCode: exitCodes.usage, message: error.message, next: error.next };
  if (error instanceof SealBrokenError)
    return { exitCode: exitCodes.usage, message: error.message, next: sealWords(error.problem) };
  // Not foreseen, so the place in the code is what helps.
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    exitCode: exitCodes.failed,
    message,
    next: 'This is a fault of Holdfast itself; `holdfast doctor` shows what it runs on.',
  };
}

function sealWords(problem: SealProblem): string {
  switch (problem.kind) {
    case 'unsealed_before':
      return `"${problem.criterion}" was unsealed and is development material now: take its seal off, and seal a check of other content.`;
    case 'none_sealed':
      return 'A sealed test of it was unsealed before: seal a check of other content in its task file.';
  }
}
