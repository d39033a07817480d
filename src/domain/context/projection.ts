import { z } from 'zod';
import { itemKinds } from './protected-item';

/** `inherited`: of a new attempt, made of its ancestor's record. */
export const projectionMakers = ['summary', 'mechanical', 'inherited'] as const;
export type MadeBy = (typeof projectionMakers)[number];

const itemSchema = z.strictObject({
  id: z.string().min(1),
  kind: z.enum(itemKinds),
  text: z.string(),
  source: z.string().min(1).exactOptional(),
});

const projectionSchema = z
  .strictObject({
    v: z.literal(1),
    /** Steps up to this one are not shown word for word; 0 where none is hidden. */
    uptoStep: z.int().min(0),
    contractVersion: z.int().min(1),
    /** Version of the policy that was in force. */
    policy: z.string(),
    madeBy: z.enum(projectionMakers),
    items: z.array(itemSchema).readonly(),
    /** What is not shown: how many items of a kind, and the pointer under which `recall` lists them. */
    left: z
      .array(z.strictObject({ kind: z.enum(itemKinds), count: z.int().min(1), pointer: z.string().min(1) }))
      .readonly(),
    /** Prose of a model; empty where none was made. */
    summary: z.string(),
  })
  .readonly();

/** What stands in the model's view for the steps up to `uptoStep` (R13.2). */
export type Projection = Readonly<z.infer<typeof projectionSchema>>;

/** The stored document cannot be used: of a newer version than this code knows, or none at all. */
export class UnreadableProjection extends Error {
  override readonly name = 'UnreadableProjection';
}

/** Reads a stored document. Throws UnreadableProjection. */
export function readProjection(body: unknown): Projection {
  const version = z.looseObject({ v: z.number() }).safeParse(body);
  if (version.success && version.data.v !== 1) {
    throw new UnreadableProjection(`The projection is of version ${version.data.v}; this worker reads version 1`);
  }
  const read = projectionSchema.safeParse(body);
  if (!read.success) throw new UnreadableProjection(`The projection cannot be read: ${z.prettifyError(read.error)}`);
  return read.data;
}
