import { defineTool } from './define-tool';
import { answering, ToolError } from './tool-errors';

/** One page, bytes: below the size from which an output is stored again. */
const pageBytes = 15 * 1024;

export const readArtifact = defineTool({
  name: 'read_artifact',
  description:
    'Reads a stored output by its hash. offset and limit in bytes, limit at most 15360; the last line says how to read on.',
  schema: {
    type: 'object',
    properties: {
      hash: { type: 'string', pattern: '^[0-9a-f]{64}$' },
      offset: { type: 'integer', minimum: 0 },
      limit: { type: 'integer', minimum: 1, maximum: pageBytes },
    },
    required: ['hash'],
    additionalProperties: false,
  },
  effect: 'none',
  workspace: false,
  looks: false,
  quick: true,
  timeoutMs: 10_000,
  run: ({ hash, offset = 0, limit = pageBytes }, { artifacts, tenant }) =>
    answering(async () => {
      const body = await artifacts.get(tenant, hash);
      if (!body) {
        throw new ToolError(
          { class: 'tool_business', code: 'ARTIFACT_NOT_FOUND' },
          `There is no artifact ${hash}.`,
          'Use a hash exactly as an output gave it.',
        );
      }
      if (offset > body.byteLength) {
        throw new ToolError(
          { class: 'tool_argument', code: 'OFFSET_BEYOND_END' },
          `The artifact has ${body.byteLength} bytes.`,
          `Use an offset of at most ${body.byteLength}.`,
        );
      }
      const end = characterEnd(body, Math.min(offset + limit, body.byteLength));
      const text = body.subarray(offset, end).toString('utf8').replaceAll('\0', '\uFFFD');
      return end < body.byteLength
        ? `${text}\n[bytes ${offset}–${end} of ${body.byteLength}; read on with offset ${end}]`
        : text;
    }),
});

/** A page ends between two characters: at most three bytes later, or at the end. */
function characterEnd(body: Buffer, end: number): number {
  let at = end;
  while (at < body.byteLength && ((body[at] ?? 0) & 0b1100_0000) === 0b1000_0000 && at < end + 3) at += 1;
  return at;
}
