import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const program = ['-r', join(__dirname, '../../support/register-swc.cjs'), join(__dirname, '../main.ts')];
/** Schedules that failed are told whole, with their traces. */
const toldMaxBytes = 64 * 1024 * 1024;

/**
 * Runs the schedules of so many seeds, in a process of its own: in a test's sandbox they take four times as long. Throws what
 * the first that fail broke, made small; else says what they reached.
 */
export async function hold(from: number, seeds: number): Promise<Readonly<Record<string, number>>> {
  const args = [...program, '--from', String(from), '--seeds', String(seeds), '--reached'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: toldMaxBytes }).catch(
    (error: { stdout?: string; stderr?: string; message: string }) => {
      throw new Error(`${error.stdout ?? ''}\n${error.stderr ?? ''}\n${error.message}`);
    },
  );
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
}
