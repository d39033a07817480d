import { fitItems } from './fit-items';
import type { MadeBy, Projection } from './projection';
import type { ProtectedItem } from './protected-item';

export interface ProjectionParts {
  readonly uptoStep: number;
  readonly contractVersion: number;
  readonly policy: string;
  readonly madeBy: MadeBy;
  readonly items: readonly ProtectedItem[];
  /** Room for the items that may be left out, as planCompaction gives it. */
  readonly itemTokens: number;
  /** Empty where no model was asked. */
  readonly summary: string;
  readonly count: (text: string) => number;
}

/** A projection of items that code collected, with a model's prose beside them; validated before it is installed (R13.4). */
export function makeProjection({ items, itemTokens, count, ...rest }: ProjectionParts): Projection {
  return { v: 1, ...rest, ...fitItems(items, itemTokens, count) };
}
