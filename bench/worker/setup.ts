import type { LongAttempt } from '../lib/long-attempt';

/** What a worker process of a benchmark is told; its first argument, as JSON. */
export interface BenchWorkerSetup {
  readonly databaseUrl: string;
  readonly temporal: { readonly address: string; readonly namespace: string };
  readonly modelUrl: string;
  readonly dataDir: string;
  /** Whether model and tool are declared quick. */
  readonly quick: boolean;
  /** A line for each run of the tool; survives a kill. */
  readonly toolLog?: string;
  /** The tools of a long attempt instead, and a model of so large a context. */
  readonly long?: LongAttempt & { readonly contextTokens: number };
  /** A tool that reads for as long as it is told, instead. */
  readonly waits?: boolean;
  /** Each run of the tool waits for a person's approval. */
  readonly asks?: boolean;
  /** Works on files, with the built-in tools, as the host of this name where there are several. */
  readonly files?: { readonly host?: string };
}
