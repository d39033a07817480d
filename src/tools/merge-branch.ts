import { mergeTool } from '../domain/child/child-contract';
import { defineTool } from './define-tool';
import { answering, ToolError } from './tool-errors';

/** As the longest name of an attempt. */
const childMaxChars = 200;
/** Of the list of what was merged; the rest is counted. */
const pathsToldMax = 100;

interface Arguments {
  readonly child: string;
  readonly mine?: readonly string[];
  readonly theirs?: readonly string[];
}

/** Two writers to one repository have two worktrees, and this brings one's work to the other (R14.4). */
export const mergeBranch = defineTool({
  name: mergeTool,
  description:
    "Merges what a child that you delegated to has done to the files into your workspace. child: its name, as delegate answered. Where both of you changed the same lines nothing is merged, and the conflicts are told: then read each of these files, write it as it should be, and call this again with the file in mine; or name it in theirs to take the child's.",
  schema: {
    type: 'object',
    properties: {
      child: { type: 'string', minLength: 1, maxLength: childMaxChars },
      mine: {
        type: 'array',
        items: { type: 'string', minLength: 1 },
        description: 'files to keep as they are in your workspace',
      },
      theirs: {
        type: 'array',
        items: { type: 'string', minLength: 1 },
        description: "files to take as they are in the child's",
      },
    },
    required: ['child'],
    additionalProperties: false,
  },
  effect: 'idempotent',
  workspace: true,
  quick: false,
  timeoutMs: 120_000,
  run: (args, { mergeChild }) =>
    answering(async () => {
      const { child, mine = [], theirs = [] } = args as Arguments;
      const both = mine.find((path) => theirs.includes(path));
      if (both !== undefined)
        throw new ToolError(
          { class: 'tool_argument', code: 'INVALID_ARGUMENTS' },
          `${both} stands in mine and in theirs.`,
          'Name it in one of them.',
        );
      if (!mergeChild) throw new Error('There is no workspace to merge into.');
      const found = await mergeChild(child, { takeMine: mine, takeTheirs: theirs });
      switch (found.kind) {
        case 'no_child':
          throw new ToolError(
            { class: 'tool_argument', code: 'NO_SUCH_CHILD' },
            `You have no child "${child}".`,
            'Use the name that delegate answered with.',
          );
        case 'runs':
          throw new ToolError(
            { class: 'tool_business', code: 'CHILD_RUNS' },
            `${child} is at work still.`,
            'Merge it when its call of delegate has answered.',
          );
        case 'no_files':
          throw new ToolError(
            { class: 'tool_business', code: 'CHILD_HAS_NO_FILES' },
            `${child} worked on no files.`,
            'Use what it answered.',
          );
        case 'conflicts': {
          const told = found.conflicts.map(({ path, text }) => `${path}\n${text}`).join('\n\n');
          const more = found.more > 0 ? `\n\nand ${found.more} more` : '';
          throw new ToolError(
            { class: 'state_conflict', code: 'MERGE_CONFLICT' },
            `Nothing was merged: you and ${child} changed the same places.\n\n${told}${more}`,
            'Read each of these files, write it as it should be, and call merge_branch again with it in mine; or name it in theirs.',
          );
        }
        case 'merged': {
          const { paths, state } = found;
          const unproven = state === 'COMPLETED' ? '' : `\n${child} ended as ${state}: nothing has proved its work.`;
          if (paths.length === 0) return `There was nothing to merge: your files have all of it.${unproven}`;
          const rest = paths.length - pathsToldMax;
          const list = [...paths.slice(0, pathsToldMax), ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n');
          return `Merged ${paths.length === 1 ? 'one file' : `${paths.length} files`} of ${child}:\n${list}${unproven}`;
        }
      }
    }),
});
