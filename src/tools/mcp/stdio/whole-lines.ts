/** Longer than anything that is written for a person, characters; the rest of such a line is passed over. */
const lineMax = 16 * 1024;

/**
 * Lines of a text that comes in pieces. `onLine` gets each once it has ended: a piece of a line may hold a piece of a secret,
 * which nobody would recognise. `whole`: false of a line whose end was passed over or never came.
 */
export class WholeLines {
  #begun = '';
  #passingOver = false;

  constructor(private readonly onLine: (line: string, whole: boolean) => void) {}

  add(text: string): void {
    const [first = '', ...others] = text.split('\n');
    this.#goOn(first);
    for (const line of others) {
      this.#emit(true);
      this.#passingOver = false;
      this.#goOn(line);
    }
  }

  /** Nothing more comes. */
  end(): void {
    this.#emit(false);
  }

  #goOn(text: string): void {
    if (this.#passingOver) return;
    this.#begun += text;
    if (this.#begun.length <= lineMax) return;
    this.#begun = this.#begun.slice(0, lineMax);
    this.#emit(false);
    this.#passingOver = true;
  }

  #emit(whole: boolean): void {
    const line = this.#begun;
    this.#begun = '';
    if (line.trim() !== '') this.onLine(line, whole);
  }
}
