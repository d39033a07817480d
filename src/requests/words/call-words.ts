import { z } from 'zod';
import { excerpt } from './words';

const argsLength = 80;

/** What the arguments of the built-in tools are about; any other tool shows the beginning of its JSON. */
const subject = z.union([
  z.object({ command: z.string() }).transform(({ command }) => command),
  z.object({ pattern: z.string() }).transform(({ pattern }) => pattern),
  z.object({ patch: z.string() }).transform(({ patch }) => patchedFiles(patch)),
  z.object({ path: z.string() }).transform(({ path }) => path),
  z.object({ steps: z.array(z.object({ status: z.string() })) }).transform(({ steps }) => planWords(steps)),
  z.object({ question: z.string() }).transform(({ question }) => question),
  z.object({ status: z.string(), summary: z.string() }).transform(({ status, summary }) => `${status}: ${summary}`),
]);

/** A call on one line: `run_command npm test`. `args` is JSON as the model wrote it, which may be none; null: kept elsewhere. */
export function callWords(tool: string, args: string | null): string {
  if (args === null) return `${tool} …`;
  const known = subject.safeParse(parsed(args));
  const words = known.success ? known.data : args === '{}' ? '' : args;
  return `${tool} ${excerpt(words, argsLength)}`.trim();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function patchedFiles(patch: string): string {
  const names = [...patch.matchAll(/^(?:---|\+\+\+) (?:[ab]\/)?(\S+)/gm)].map(([, name]) => name ?? '');
  return [...new Set(names)].filter((name) => name !== '/dev/null').join(', ');
}

function planWords(steps: readonly { readonly status: string }[]): string {
  return `${steps.filter(({ status }) => status === 'done').length} of ${steps.length} steps done`;
}
