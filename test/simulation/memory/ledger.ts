import type { ActionRow, LedgerPort } from '../../../src/activities/ledger-port';
import { bundlesOf } from './bundles';
import { childNamed } from './children';
import type { Line } from './line';
import { Locks } from './locks';
import { attemptTables, contractOf, evidenceOf, stepsOf } from './reads';
import { ancestorOf, answeredOf, firstEventOf, inputOf, itemRecords, viewOf } from './record';
import { placeKey, Tables } from './tables';
import { MemoryTx } from './tx';
import { ChangedMeanwhileError } from './writes';

/** Each conflict is another transaction's success; more in a row is a fault to be seen. */
const conflictsMax = 5;

/**
 * A ledger in memory, as the activities know the one on PostgreSQL.
 *
 *   I1  A transaction holds the attempt's lock to its end; others of that attempt wait, those of other attempts go on
 *       beside it and meet it at targets, keys and effect rows only.
 *   I2  A commit lands as a whole, in one moment, whether its process hears of it or not.
 *   I3  `now` is the ledger's own clock, ms; leases are judged by it.
 */
export class MemoryLedger {
  readonly tables = new Tables();
  readonly locks = new Locks();

  constructor(
    readonly now: () => number,
    /** Told after each commit, while nothing else can have happened. */
    readonly onCommit: (attempt: number) => void = () => {},
  ) {}

  /** A connection of a process of its own. */
  port(line: Line): MemoryPort {
    return new MemoryPort(this, line);
  }
}

export class MemoryPort implements LedgerPort {
  private readonly open = new Set<object>();

  constructor(
    private readonly ledger: MemoryLedger,
    private readonly line: Line,
  ) {}

  /** The process is gone: what it has open is rolled back. What it awaits never comes. */
  disconnect(): void {
    for (const tx of this.open) this.ledger.locks.drop(tx);
    this.open.clear();
  }

  async transact<T>(
    ref: Parameters<LedgerPort['transact']>[0],
    scope: Parameters<LedgerPort['transact']>[1],
    work: (tx: MemoryTx) => Promise<T> | T,
  ): Promise<T> {
    for (let conflict = 0; ; conflict += 1) {
      try {
        return await this.transactOnce(ref, scope, work);
      } catch (error) {
        if (conflict >= conflictsMax || !(error instanceof ChangedMeanwhileError)) throw error;
      }
    }
  }

  private async transactOnce<T>(
    ref: Parameters<LedgerPort['transact']>[0],
    scope: Parameters<LedgerPort['transact']>[1],
    work: (tx: MemoryTx) => Promise<T> | T,
  ): Promise<T> {
    const { tables, locks, now } = this.ledger;
    const owner = {};
    this.open.add(owner);
    try {
      await this.line.request('begin');
      await locks.take(`attempt ${ref.key}`, owner);
      const tx = new MemoryTx(tables, locks, owner, this.line, now, ref.key, scope);
      await this.line.reply('begin');
      const result = await work(tx);
      await this.line.request('commit');
      tx.writes.commit();
      this.ledger.onCommit(ref.key);
      this.end(owner); // I2
      await this.line.reply('commit');
      return result;
    } finally {
      this.end(owner);
    }
  }

  private end(owner: object): void {
    this.open.delete(owner);
    this.ledger.locks.release(owner);
  }

  attempt(ref: Parameters<LedgerPort['attempt']>[0]): ReturnType<LedgerPort['attempt']> {
    return this.read('attempt', () => ({ ...attemptTables(this.ledger.tables, ref.key).head.row }));
  }

  /** Never changes, so it is kept by every process. */
  async contract(...[ref, version]: Parameters<LedgerPort['contract']>): ReturnType<LedgerPort['contract']> {
    return contractOf(this.ledger.tables, ref, version);
  }

  action(ref: Parameters<LedgerPort['action']>[0], step: number, index: number): Promise<ActionRow | undefined> {
    return this.read('action', () => {
      const row = attemptTables(this.ledger.tables, ref.key).actions.get(placeKey(step, index));
      if (!row) return undefined;
      const { effect: _effect, ...action } = row;
      return action;
    });
  }

  bundles(tenant: string, snapshot: string): ReturnType<LedgerPort['bundles']> {
    return this.read('bundles', () => bundlesOf(this.ledger.tables, tenant, snapshot));
  }

  view(ref: Parameters<LedgerPort['view']>[0]): ReturnType<LedgerPort['view']> {
    return this.read('view', () => viewOf(this.ledger.tables, ref.key));
  }

  history(ref: Parameters<LedgerPort['history']>[0], from: number, upto: number): ReturnType<LedgerPort['history']> {
    return this.read('history', () => stepsOf(attemptTables(this.ledger.tables, ref.key), from, upto));
  }

  input(ref: Parameters<LedgerPort['input']>[0], ordinal: number): ReturnType<LedgerPort['input']> {
    return this.read('input', () => inputOf(attemptTables(this.ledger.tables, ref.key), ordinal));
  }

  itemRows(ref: Parameters<LedgerPort['itemRows']>[0], uptoStep: number): ReturnType<LedgerPort['itemRows']> {
    return this.read('items', () => itemRecords(this.ledger.tables, ref.key, uptoStep));
  }

  child(ref: Parameters<LedgerPort['child']>[0], id: string): ReturnType<LedgerPort['child']> {
    return this.read('child', () => childNamed(this.ledger.tables, ref, id));
  }

  ancestor(ref: Parameters<LedgerPort['ancestor']>[0], id: string): ReturnType<LedgerPort['ancestor']> {
    return this.read('ancestor', () => ancestorOf(this.ledger.tables, ref, id));
  }

  evidence(ref: Parameters<LedgerPort['evidence']>[0], candidate: number): ReturnType<LedgerPort['evidence']> {
    return this.read('evidence', () => evidenceOf(attemptTables(this.ledger.tables, ref.key), candidate));
  }

  answered(ref: Parameters<LedgerPort['answered']>[0], tools: readonly string[]): ReturnType<LedgerPort['answered']> {
    return this.read('answered', () => answeredOf(attemptTables(this.ledger.tables, ref.key), tools));
  }

  firstEvent(ref: Parameters<LedgerPort['firstEvent']>[0], type: string): ReturnType<LedgerPort['firstEvent']> {
    return this.read('first event', () => firstEventOf(attemptTables(this.ledger.tables, ref.key), type));
  }

  private async read<T>(what: string, look: () => T): Promise<T> {
    await this.line.request(what);
    const seen = look();
    await this.line.reply(what);
    return seen;
  }
}
