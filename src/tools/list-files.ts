import { stat } from 'node:fs/promises';
import { compileGlob } from '../domain/glob/compile-glob';
import { BadGlob, globMaxChars } from '../domain/glob/parse-glob';
import { defineTool } from './define-tool';
import { answering, ToolError } from './tool-errors';
import { walkFiles } from './walk-files';
import { insideWorkspace, notFound } from './workspace-path';
import { workspaceRoot } from './workspace-root';

/** More paths than that are not read by anybody; a glob narrows them down. */
const maxListed = 400;

export const listFiles = defineTool({
  name: 'list_files',
  description:
    'Lists files of the workspace in order of their names, without what .gitignore leaves out. path: a folder; glob: over paths from the workspace, such as src/**/*.{ts,tsx}. It knows * ** ? [a-z] {a,b}.',
  schema: {
    type: 'object',
    properties: {
      path: { type: 'string', minLength: 1 },
      glob: { type: 'string', minLength: 1, maxLength: globMaxChars },
    },
    required: [],
    additionalProperties: false,
  },
  effect: 'none',
  workspace: true,
  quick: true,
  timeoutMs: 20_000,
  enforces: { paths: ({ path = '.' }) => [path] },
  run: ({ path = '.', glob }, context) =>
    answering(async () => {
      const root = workspaceRoot(context);
      const folder = await insideWorkspace(root, path);
      const facts = await stat(folder).catch(() => undefined);
      if (!facts) throw notFound(path);
      if (!facts.isDirectory()) return `${path} is a file of ${facts.size} bytes.`;
      const matches = glob === undefined ? () => true : matcher(glob);
      const listed: string[] = [];
      let more = 0;
      for await (const file of walkFiles(root, folder, context.signal)) {
        if (!matches(file)) continue;
        if (listed.length < maxListed) listed.push(file);
        else more += 1;
      }
      if (listed.length === 0) return 'No file.';
      return listed.join('\n') + (more > 0 ? `\n[… ${more} more; give a path or a glob]` : '');
    }),
});

function matcher(glob: string): (path: string) => boolean {
  try {
    return compileGlob(glob);
  } catch (error) {
    if (!(error instanceof BadGlob)) throw error;
    throw new ToolError(
      { class: 'tool_argument', code: 'BAD_GLOB' },
      `The glob cannot be read: ${error.message}.`,
      'Correct the glob.',
    );
  }
}
