import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

/** The command line as it is built. */
export const client = join(__dirname, '../../../dist/client.js');

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The built command line in a folder of its own, with nothing of this process's settings. */
export function commandLine(cwd: string, env: Readonly<Record<string, string>> = {}) {
  const spawnIt = (args: readonly string[]): ChildProcess =>
    spawn(process.execPath, [client, ...args], {
      cwd,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  return {
    /** Runs one command to its end. */
    run: (...args: string[]): Promise<Ran> => finished(spawnIt(args)),
    /** Starts one that goes on; `ended` tells how it ended. */
    start: (...args: string[]) => {
      const child = spawnIt(args);
      return { child, ended: finished(child), output: until(child) };
    },
  };
}

/** Resolves when it has ended and its output is read. */
export function finished(child: ChildProcess): Promise<Ran> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (part) => (stdout += part));
  child.stderr?.on('data', (part) => (stderr += part));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
}

/** Resolves to standard output so far once it holds `text`; rejects where the process ends before. */
export function until(child: ChildProcess) {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (part) => (stdout += part));
  child.stderr?.on('data', (part) => (stderr += part));
  return (text: string) =>
    new Promise<string>((resolve, reject) => {
      const look = () => stdout.includes(text) && resolve(stdout);
      look();
      child.stdout?.on('data', look);
      child.once('close', (code) =>
        reject(new Error(`ended with ${code} before it said "${text}": ${stdout}${stderr}`)),
      );
    });
}
