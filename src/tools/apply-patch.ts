import { defineTool } from './define-tool';
import { commitChanges, describeChanges, planChanges } from './patch-changes';
import { readPatch } from './read-patch';
import { answering, ToolError } from './tool-errors';
import { workspaceRoot } from './workspace-root';

/** A change of this size is not reviewed by anybody; it is made by a command, characters. */
const maxPatchLength = 1024 ** 2;

export const applyPatch = defineTool({
  name: 'apply_patch',
  description:
    'Applies a unified diff to the workspace: several files, new (--- /dev/null), deleted (+++ /dev/null) and renamed (git headers) ones. Context and removed lines must be exactly those of the file. All of it applies, or nothing.',
  schema: {
    type: 'object',
    properties: { patch: { type: 'string', minLength: 1, maxLength: maxPatchLength } },
    required: ['patch'],
    additionalProperties: false,
  },
  effect: 'idempotent',
  workspace: true,
  quick: true, // with its snapshot about 20 ms
  timeoutMs: 30_000,
  enforces: { paths: ({ patch }) => pathsOf(patch) },
  run: ({ patch }, context) =>
    answering(async () => {
      const root = workspaceRoot(context);
      const changes = await planChanges(root, readPatch(patch), context.signal); // nothing is written before all of it fits
      await commitChanges(root, changes);
      return describeChanges(changes);
    }),
});

/** A patch that cannot be read writes nothing: the tool refuses it with what is wrong in it. */
function pathsOf(patch: string): readonly string[] {
  try {
    return readPatch(patch).flatMap(({ from, to }) => [from, to].filter((path) => path !== undefined));
  } catch (error) {
    if (error instanceof ToolError) return [];
    throw error;
  }
}
