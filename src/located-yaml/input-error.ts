/** What a person wrote is wrong: a file, an option. Nothing was changed. */
export class InputError extends Error {
  constructor(
    readonly problems: readonly Problem[],
    /** What to do next, as one sentence. */
    readonly next?: string,
  ) {
    super(problems.map(problemLine).join('\n'));
    this.name = 'InputError';
  }
}

export interface Problem {
  readonly message: string;
  readonly at?: Location;
}

/** Line and column count from 1, as editors do. */
export interface Location {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

function problemLine(problem: Problem): string {
  if (problem.at === undefined) return problem.message;
  return `${problem.at.file}:${problem.at.line}:${problem.at.column}: ${problem.message}`;
}
