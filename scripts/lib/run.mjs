import { spawn } from 'node:child_process';
import { root } from './paths.mjs';

/**
 * Runs a program in the project's folder to its end. Signals that this process gets go on to it, so that nothing is left running.
 * `stop`, an AbortSignal, kills it. `output: 'keep'` returns what it printed; otherwise it prints to this terminal.
 */
export function run(command, args, { output = 'show', stop } = {}) {
  return new Promise((resolve, reject) => {
    const stdio = output === 'keep' ? ['ignore', 'pipe', 'pipe'] : 'inherit';
    const child = spawn(command, args, { cwd: root, stdio });
    const pass = (signal) => child.kill(signal);
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, pass);
    stop?.addEventListener('abort', () => child.kill('SIGKILL'));
    let text = '';
    const keep = (chunk) => {
      text += chunk;
    };
    child.stdout?.setEncoding('utf8').on('data', keep);
    child.stderr?.setEncoding('utf8').on('data', keep);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      for (const name of signals) process.off(name, pass);
      resolve({ code: code ?? signalledExitCode, signal, text });
    });
  });
}

/** What a shell reports for a program that a signal ended. */
const signalledExitCode = 130;
