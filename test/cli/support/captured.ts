import { runCommandLine } from '../../../src/cli/run';
import type { Ran } from './command-line';

/** Runs one command line in this process, with what it would have printed; one at a time. */
export async function captured(...args: string[]): Promise<Ran> {
  const [out, err] = [process.stdout, process.stderr].map((stream) => {
    const texts: string[] = [];
    const spy = jest.spyOn(stream, 'write').mockImplementation((text) => texts.push(String(text)) > 0);
    return { text: () => texts.join(''), end: () => spy.mockRestore() };
  });
  try {
    const code = await runCommandLine(args);
    return { code, stdout: out?.text() ?? '', stderr: err?.text() ?? '' };
  } finally {
    out?.end();
    err?.end();
  }
}
