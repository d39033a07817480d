import type { ProtectedItem } from '../../domain/context/protected-item';
import { feedbackTellable, tellable } from '../../domain/context/tellable';
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

/** In the place of a word of the runtime: it may say what a check found of which nothing comes back now. */
const withheldText = 'What was said here about the work of that attempt gives no feedback under this contract.';

/**
 * The record of one attempt as pointers are followed in it (R13.3).
 *
 *   I1  What a check without feedback found is not in it (R3.4): neither by the contract of the attempt whose record it is, nor,
 *       where a later attempt reads it, by that one's.
 */
export class RecordReader {
  private block: { readonly from: number; readonly steps: Promise<ViewRows['steps']> } | undefined;
  private known: Promise<readonly ProtectedItem[]> | undefined;

  /**
   * `hiding`: what a compaction is about to install; otherwise the installed projection counts, or the whole record without one.
   * `heir`: the attempt that reads it, where that is a later one.
   */
  constructor(
    readonly deps: RecordDeps,
    readonly ref: AttemptRef,
    private readonly hiding?: Hiding,
    private readonly heir?: AttemptRef,
  ) {}

  /** The record of an attempt that this one descends from; undefined where it descends from none of that name. */
  async ancestor(id: string): Promise<RecordReader | undefined> {
    const found = await this.deps.ledger.ancestor(this.ref, id);
    return found && new RecordReader(this.deps, found, undefined, this.heir ?? this.ref);
  }

  /** Undefined where there is none. */
  async input(ordinal: number): Promise<string | undefined> {
    const { ledger } = this.deps;
    const input = await ledger.input(this.ref, ordinal);
    if (input?.kind !== 'feedback' || !this.heir) return input?.text;
    const [of, to] = await Promise.all([ledger.contract(this.ref), ledger.contract(this.heir)]);
    return feedbackTellable(of, to) ? input.text : withheldText; // I1
  }

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

  /** I1. */
  private async told(items: readonly ProtectedItem[]): Promise<readonly ProtectedItem[]> {
    return this.heir ? tellable(items, await this.deps.ledger.contract(this.heir)) : items;
  }

  private async readItems(): Promise<readonly ProtectedItem[]> {
    if (this.hiding) return (await protectedItems(this.deps, this.hiding.rows, this.hiding.uptoStep)).items;
    const rows = await this.deps.ledger.view(this.ref);
    return this.told((await protectedItems(this.deps, rows, rows.projection?.uptoStep ?? rows.attempt.step)).items);
  }

  /** The items of the whole record, whatever a view of it hides. */
  async allItems(): Promise<readonly ProtectedItem[]> {
    const rows = await this.deps.ledger.view(this.ref);
    return this.told((await protectedItems(this.deps, rows, rows.attempt.step)).items);
  }

  private inBlock(step: number): Promise<ViewRows['steps']> {
    const from = step - ((step - 1) % blockSteps);
    if (this.block?.from !== from)
      this.block = { from, steps: this.deps.ledger.history(this.ref, from, from + blockSteps - 1) };
    return this.block.steps;
  }
}
