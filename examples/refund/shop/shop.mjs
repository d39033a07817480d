import { checkArguments } from './arguments.mjs';
import { byKey, operations } from './operations.mjs';
import { State } from './state.mjs';

/** The shop's books: what is decided, written and told, one operation after the other. */
export class Shop {
  #journal;
  #state = new State();

  constructor(journal) {
    this.#journal = journal;
    for (const line of journal.lines) this.#state.apply(line);
  }

  /**
   * Does one operation, or tells what it came to before. Throws a Refusal where the answer is no. It returns when what it
   * did is on disk, and nothing else runs meanwhile: of two requests under one key, one decides and the other is told.
   */
  perform(operation, args, key) {
    const { shape, read, decide, answer } = operations[operation];
    checkArguments(shape, args);
    if (read !== undefined) return { repeated: false, result: read(this.#state, args) };

    const before = byKey(this.#state, operation, args, key) ?? decide(this.#state, args);
    if (before !== undefined) return { repeated: true, result: answer(this.#state, before) };
    const line = this.#journal.append({ operation, ...(key !== undefined && { key }), args });
    this.#state.apply(line);
    return { repeated: false, result: answer(this.#state, line) };
  }

  /** Everything committed after a sequence, in order. */
  log(after = 0) {
    return this.#journal.lines.slice(after);
  }
}
