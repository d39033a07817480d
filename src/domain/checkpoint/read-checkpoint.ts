import { z } from 'zod';
import { type Checkpoint, checkpointSchema, checkpointVersion } from './checkpoint';
import { leansOn, restore } from './short-form';
import { upcast } from './upcast';

export type ReadCheckpoint =
  | { readonly ok: true; readonly checkpoint: Checkpoint }
  /** `newer`: the document's version, where a newer Holdfast wrote it. */
  | { readonly ok: false; readonly why: string; readonly newer?: number };

/** As it is stored; `base`: the whole one that a short one leans on. */
export interface StoredCheckpoint {
  readonly n: number;
  readonly body: unknown;
  readonly base: unknown;
}

/** Reads a document of whatever version up to this one. */
export function readCheckpoint({ body, base }: Pick<StoredCheckpoint, 'body' | 'base'>): ReadCheckpoint {
  const version = versionOf(body);
  if (version !== undefined && version > checkpointVersion)
    return {
      ok: false,
      newer: version,
      why: `A newer Holdfast wrote it (document version ${version}; this one reads up to ${checkpointVersion}).`,
    };
  const parsed = checkpointSchema.safeParse(leansOn(body) === undefined ? upcast(body) : restore(body, upcast(base)));
  if (parsed.success) return { ok: true, checkpoint: parsed.data };
  return { ok: false, why: `It is no checkpoint: ${z.prettifyError(parsed.error)}` };
}

function versionOf(body: unknown): number | undefined {
  if (typeof body !== 'object' || body === null || !('v' in body)) return undefined;
  return typeof body.v === 'number' ? body.v : undefined;
}
