/** Changes of one commit, in order; a change that cannot be made takes back all that were. */
export class Journal {
  private readonly undo: (() => void)[] = [];

  /** Throws where the key is taken: each row is made once. */
  insert<K, R>(table: Map<K, R>, key: K, row: R, name: string): void {
    if (table.has(key)) throw new DuplicateRowError(`${name} ${String(key)} is there already.`);
    this.put(table, key, row);
  }

  put<K, R>(table: Map<K, R>, key: K, row: R): void {
    const before = table.get(key);
    this.undo.push(() => (before === undefined ? table.delete(key) : table.set(key, before)));
    table.set(key, row);
  }

  remove<K, R>(table: Map<K, R>, key: K): void {
    const before = table.get(key);
    if (before === undefined) return;
    this.undo.push(() => table.set(key, before));
    table.delete(key);
  }

  /** A field of a record that is no table. */
  assign<R extends object>(record: R, change: Partial<R>): void {
    const before = { ...record };
    this.undo.push(() => Object.assign(record, before));
    Object.assign(record, change);
  }

  static run(changes: Iterable<(journal: Journal) => void>): void {
    const journal = new Journal();
    try {
      for (const change of changes) change(journal);
    } catch (error) {
      for (const back of journal.undo.reverse()) back();
      throw error;
    }
  }
}

export class DuplicateRowError extends Error {
  override readonly name = 'DuplicateRowError';
}
