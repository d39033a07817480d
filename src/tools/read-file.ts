import type { FileHandle } from 'node:fs/promises';
import { defineTool } from './define-tool';
import { answering, ToolError } from './tool-errors';
import { openInside } from './workspace-path';
import { workspaceRoot } from './workspace-root';

/** One page, bytes: below the size from which an output is stored and cut in the middle, so that pages join. */
const pageBytes = 15 * 1024;
/** Read whole to count lines; a larger one is no source file, bytes. */
const maxFileBytes = 16 * 1024 ** 2;
/** What decides whether a file is text, bytes; as git does it. */
const sniffedBytes = 8_000;

export const readFile = defineTool({
  name: 'read_file',
  description:
    'Reads a text file of the workspace. offset: first line, counted from 1; limit: number of lines. A long file comes in pages; the last line says how to read on.',
  schema: {
    type: 'object',
    properties: {
      path: { type: 'string', minLength: 1, description: 'relative to the workspace' },
      offset: { type: 'integer', minimum: 1 },
      limit: { type: 'integer', minimum: 1 },
    },
    required: ['path'],
    additionalProperties: false,
  },
  effect: 'none',
  workspace: true,
  quick: true,
  timeoutMs: 10_000,
  run: ({ path, offset = 1, limit = Number.MAX_SAFE_INTEGER }, context) =>
    answering(async () => {
      const file = await openInside(workspaceRoot(context), path);
      try {
        return page(await text(file, path), path, offset, limit);
      } finally {
        await file.close();
      }
    }),
});

async function text(file: FileHandle, path: string): Promise<string> {
  const { size } = await file.stat();
  if (size > maxFileBytes) {
    throw new ToolError(
      { class: 'tool_business', code: 'FILE_TOO_LARGE' },
      `${path} has ${size} bytes, more than ${maxFileBytes}.`,
      'Look into it with search_text, or with run_command and sed -n.',
    );
  }
  const body = await file.readFile();
  if (body.subarray(0, sniffedBytes).includes(0)) {
    throw new ToolError(
      { class: 'tool_business', code: 'BINARY_FILE' },
      `${path} is binary (${size} bytes).`,
      'Read another file, or inspect it with run_command.',
    );
  }
  return body.toString('utf8').replaceAll('\0', '\uFFFD');
}

function page(whole: string, path: string, offset: number, limit: number): string {
  const lines = whole.split('\n');
  const ended = lines.at(-1) === ''; // the file's last newline begins no line
  const count = ended ? lines.length - 1 : lines.length;
  if (offset > Math.max(count, 1)) {
    throw new ToolError(
      { class: 'tool_argument', code: 'OFFSET_BEYOND_END' },
      `${path} has ${count} lines.`,
      `Use an offset of at most ${count}.`,
    );
  }
  const shown: string[] = [];
  let bytes = 0;
  for (const line of lines.slice(offset - 1, Math.min(count, offset - 1 + limit))) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > pageBytes && shown.length > 0) break;
    shown.push(bytes > pageBytes ? `${line.slice(0, pageBytes)} [… line cut, ${line.length} characters]` : line);
  }
  const last = offset - 1 + shown.length;
  if (last < count)
    return `${shown.join('\n')}\n[lines ${offset}–${last} of ${count}; read on with offset ${last + 1}]`;
  return shown.join('\n') + (ended && shown.length > 0 ? '\n' : '');
}
