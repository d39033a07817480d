import type { FileHandle } from 'node:fs/promises';
import { defineTool } from './define-tool';
import { answering, ToolError } from './tool-errors';
import { openInside } from './workspace-path';
import { workspaceRoot } from './workspace-root';

/** One page, bytes: below the size from which an output is stored and cut in the middle, so that pages join. */
const pageBytes = 15 * 1024;
/** Read whole to count lines (20 ms); a larger one is no source file, bytes. */
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
  enforces: { paths: ({ path }) => [path] },
  source: ({ path }) => path,
  run: ({ path, offset = 1, limit = Number.MAX_SAFE_INTEGER }, context) =>
    answering(async () => {
      const file = await openInside(workspaceRoot(context), path);
      try {
        return page(await textOf(file, path), path, offset, limit);
      } finally {
        await file.close();
      }
    }),
});

async function textOf(file: FileHandle, path: string): Promise<Buffer> {
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
  return body;
}

/** Lines are found in the bytes, and only those shown become text: a file may be nothing but line ends. */
function page(body: Buffer, path: string, offset: number, limit: number): string {
  const starts = lineStarts(body, offset);
  if (offset > Math.max(starts.count, 1)) {
    throw new ToolError(
      { class: 'tool_argument', code: 'OFFSET_BEYOND_END' },
      `${path} has ${starts.count} lines.`,
      `Use an offset of at most ${starts.count}.`,
    );
  }
  const shown: string[] = [];
  let bytes = 0;
  let at = starts.wanted;
  while (at < body.length && shown.length < limit) {
    const newline = body.indexOf(lineEnd, at);
    const end = newline < 0 ? body.length : newline;
    bytes += end - at + 1;
    if (bytes > pageBytes && shown.length > 0) break;
    shown.push(bytes > pageBytes ? cutLine(body.subarray(at, end)) : asText(body.subarray(at, end)));
    at = end + 1;
  }
  const last = offset - 1 + shown.length;
  if (last < starts.count)
    return `${shown.join('\n')}\n[lines ${offset}–${last} of ${starts.count}; read on with offset ${last + 1}]`;
  return shown.join('\n') + (body.at(-1) === lineEnd && shown.length > 0 ? '\n' : '');
}

const lineEnd = 0x0a;

/** How many lines there are (the last newline begins none), and where line `offset` begins. */
function lineStarts(body: Buffer, offset: number): { readonly count: number; readonly wanted: number } {
  let wanted = offset === 1 ? 0 : body.length;
  let ends = 0;
  for (let at = 0; at < body.length; at += 1) {
    if (body[at] !== lineEnd) continue;
    ends += 1;
    if (ends === offset - 1) wanted = at + 1;
  }
  const open = body.length > 0 && body.at(-1) !== lineEnd;
  return { count: ends + (open ? 1 : 0), wanted };
}

const asText = (bytes: Buffer) => bytes.toString('utf8').replaceAll('\0', '\uFFFD');

function cutLine(line: Buffer): string {
  const text = asText(line);
  return `${text.slice(0, pageBytes)} [… line cut, ${text.length} characters]`;
}
