import { lstat } from 'node:fs/promises';
import { defineTool } from './define-tool';
import { replaceFile } from './replace-file';
import { answering, ToolError } from './tool-errors';
import { makeParent } from './workspace-path';
import { workspaceRoot } from './workspace-root';

/** Above it a text is made by a command and not by a model, characters. */
const maxContentLength = 1024 ** 2;

export const writeFile = defineTool({
  name: 'write_file',
  description:
    'Writes a whole text file of the workspace, and the folders above it. For a change in a file use apply_patch.',
  schema: {
    type: 'object',
    properties: {
      path: { type: 'string', minLength: 1, description: 'relative to the workspace' },
      content: { type: 'string', maxLength: maxContentLength },
    },
    required: ['path', 'content'],
    additionalProperties: false,
  },
  effect: 'idempotent',
  workspace: true,
  quick: true, // with its snapshot about 15 ms
  timeoutMs: 10_000,
  enforces: { paths: ({ path }) => [path] },
  run: ({ path, content }, context) =>
    answering(async () => {
      const target = await makeParent(workspaceRoot(context), path);
      const there = await lstat(target).catch(() => undefined);
      if (there?.isDirectory()) {
        throw new ToolError(
          { class: 'tool_business', code: 'IS_A_DIRECTORY' },
          `${path} is a folder.`,
          'Choose another path, or remove the folder first.',
        );
      }
      await replaceFile(target, content);
      return `${there ? 'replaced' : 'created'} ${path} (${Buffer.byteLength(content)} bytes)`;
    }),
});
