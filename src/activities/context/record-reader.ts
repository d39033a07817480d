import type { ProtectedItem } from '../../domain/context/protected-item';
import type { ViewStep } from '../../domain/context/view-facts';
import type { AttemptRef } from '../../protocol/ids';
import type { RecordDeps } from '../deps';
import type { ViewRows } from '../ledger-port';
import { loadSteps } from './load-steps';
import { protectedItems } from './protected-items';

/** Where a view is to hide steps: the items as they will be counted then. */
export interface Hiding {
  readonly rows: Pick<ViewRows, 'attempt' | 'taskState'>;
  readonly uptoStep: number;
}

/** Steps read at once where many pointers are followed: few round trips, and no more in memory than a view shows. */
const blockSteps = 50;

/** The record of one attempt as pointers are followed in it (R13.3). */
export class RecordReader {
  private block: { readonly from: number; readonly steps: Promise<ViewRows['steps']> } | undefined;
  private known: Promise<readonly ProtectedItem[]> | undefined;

  /** `hiding`: what a compaction is about to install; otherwise the installed projection counts, or the whole record without one. */
  constructor(
    readonly deps: RecordDeps,
    readonly ref: AttemptRef,
    private readonly hiding?: Hiding,
  ) {}

  /** Undefined where there is none. Throws where the object store has lost a text of it. */
  async step(step: number): Promise<ViewStep | undefined> {
    const rows = this.hiding ? await this.inBlock(step) : await this.deps.ledger.history(this.ref, step, step);
    const [found] = await loadSteps(
      this.deps,
      this.ref.tenant,
      rows.filter((row) => row.step === step),
    );
    return found;
  }

  async steps(from: number, upto: number): Promise<readonly ViewStep[]> {
    return loadSteps(this.deps, this.ref.tenant, await this.deps.ledger.history(this.ref, from, upto));
  }

  /** The protected items (R13.2); read once. */
  items(): Promise<readonly ProtectedItem[]> {
    this.known ??= this.readItems();
    return this.known;
  }

  private async readItems(): Promise<readonly ProtectedItem[]> {
    if (this.hiding) return (await protectedItems(this.deps, this.hiding.rows, this.hiding.uptoStep)).items;
    const rows = await this.deps.ledger.view(this.ref);
    return (await protectedItems(this.deps, rows, rows.projection?.uptoStep ?? rows.attempt.step)).items;
  }

  /** The items of the whole record, whatever a view of it hides. */
  async allItems(): Promise<readonly ProtectedItem[]> {
    const rows = await this.deps.ledger.view(this.ref);
    return (await protectedItems(this.deps, rows, rows.attempt.step)).items;
  }

  private inBlock(step: number): Promise<ViewRows['steps']> {
    const from = step - ((step - 1) % blockSteps);
    if (this.block?.from !== from)
      this.block = { from, steps: this.deps.ledger.history(this.ref, from, from + blockSteps - 1) };
    return this.block.steps;
  }
}
