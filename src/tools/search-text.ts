import { realpath, stat } from 'node:fs/promises';
import { relative } from 'node:path';
import { defineTool } from './define-tool';
import { runSearch, type SearchProgram } from './run-search';
import { answering, ToolError } from './tool-errors';
import { insideWorkspace, notFound } from './workspace-path';
import { workspaceRoot } from './workspace-root';

/** Matches shown; a search with more is narrowed down and not read. */
const maxMatches = 200;
/** Of one line, characters: enough for code, too little for a minified file. */
const maxLineLength = 300;
/** Below the size from which an output is stored and cut in the middle, characters. */
const maxOutputLength = 14_000;
/** A search of a large tree, ms. */
const searchTimeoutMs = 20_000;

export const searchText = defineTool({
  name: 'search_text',
  description:
    'Searches the text files of the workspace for a regular expression, without what .gitignore leaves out. Gives path:line:text. path: a file or folder to search in.',
  schema: {
    type: 'object',
    properties: { pattern: { type: 'string', minLength: 1, maxLength: 1_000 }, path: { type: 'string', minLength: 1 } },
    required: ['pattern'],
    additionalProperties: false,
  },
  effect: 'none',
  workspace: true,
  quick: true,
  timeoutMs: searchTimeoutMs,
  enforces: { paths: ({ path = '.' }) => [path] },
  run: ({ pattern, path = '.' }, context) =>
    answering(async () => {
      const root = await realpath(workspaceRoot(context));
      const real = await insideWorkspace(root, path);
      if (!(await stat(real).catch(() => undefined))) throw notFound(path);
      const found = await runSearch({
        root,
        pattern,
        path: relative(root, real) || '.',
        maxMatches,
        timeoutMs: searchTimeoutMs,
        signal: context.signal,
      });
      switch (found.kind) {
        case 'bad_pattern':
          throw new ToolError(
            { class: 'tool_argument', code: 'BAD_PATTERN' },
            `The pattern cannot be read: ${found.why}`,
            dialect[found.program],
          );
        case 'timed_out':
          throw new ToolError(
            { class: 'tool_business', code: 'SEARCH_TIMED_OUT' },
            `The search took longer than ${searchTimeoutMs} ms.`,
            'Search in one folder, or for a simpler pattern.',
          );
        case 'found':
          return worded(found.lines, found.more);
      }
    }),
});

const dialect: Readonly<Record<SearchProgram, string>> = {
  ripgrep: 'Correct it; escape ( ) [ ] { } . * + ? | \\ with a backslash where they are meant literally.',
  git: 'Correct it: POSIX extended regular expressions are understood.',
};

function worded(lines: readonly string[], more: boolean): string {
  if (lines.length === 0) return 'No match.';
  const shown: string[] = [];
  let length = 0;
  for (const line of lines) {
    const cut = line.length > maxLineLength ? `${line.slice(0, maxLineLength)} […]` : line;
    length += cut.length + 1;
    if (length > maxOutputLength) break;
    shown.push(cut);
  }
  const all = shown.length === lines.length && !more;
  return (
    shown.join('\n') + (all ? '' : '\n[… there are more matches; search in one folder, or for a narrower pattern]')
  );
}
