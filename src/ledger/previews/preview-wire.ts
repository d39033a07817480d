import { z } from 'zod';
import type { AttemptRef } from '../../protocol/ids';
import type { Preview } from '../../protocol/preview';

/** A notification takes less than 8,000 bytes; what stands around the text takes up to a hundred. Bytes of the text as JSON. */
const pieceBytesMax = 7_800;

const natural = z.number().int().positive();
const pieceSchema = z.strictObject({
  step: natural,
  try: natural,
  execution: natural,
  part: natural,
  text: z.string(),
});
export type Piece = z.infer<typeof pieceSchema>;

/** The attempt's own, so that a reader of one attempt is woken for no other. */
export const previewChannel = ({ key }: Pick<AttemptRef, 'key'>) => `holdfast_preview_${key}`;

/** The text in as many parts as notifications have room for; together they are the text. */
export function cutForNotify(text: string): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  let bytes = 0;
  for (const sign of text) {
    const size = Buffer.byteLength(JSON.stringify(sign)) - 2;
    if (bytes + size > pieceBytesMax) {
      pieces.push(piece);
      piece = '';
      bytes = 0;
    }
    piece += sign;
    bytes += size;
  }
  return piece === '' ? pieces : [...pieces, piece];
}

/** Undefined for what no worker has sent: anybody in the database may notify. */
export function readPreview({ id }: Pick<AttemptRef, 'id'>, payload: string | undefined): Preview | undefined {
  const { data: piece } = pieceSchema.safeParse(parsed(payload ?? ''));
  if (!piece) return undefined;
  const step_id = `${id}/s${piece.step}`;
  return {
    durability: 'preview',
    attempt_id: id,
    step_id,
    stream_id: `${step_id}/t${piece.try}.${piece.execution}`,
    part: piece.part,
    text: piece.text,
  };
}

function parsed(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}
