/** The models of an installation by name. Built once from configuration and handed down. */
export type ModelsConfig = Readonly<Record<string, ModelConfig>>;

export interface ModelConfig {
  /** `openai` speaks the responses wire, `openai-compatible` chat completions, `anthropic` messages. */
  readonly provider: 'openai-compatible' | 'openai' | 'anthropic';
  /** The name that the provider knows. */
  readonly model: string;
  /** Up to and without the endpoint; `openai-compatible` needs it, the others have their own. */
  readonly baseUrl?: string;
  /** Called for each use, so a changed secret counts at once (R9.1). Absent: the server asks for none. */
  readonly apiKey?: () => string | undefined;
  readonly contextTokens: number;
  /** Longest answer, tokens; what a call reserves. */
  readonly maxOutputTokens: number;
  /** Instead of the bundled price table. */
  readonly price?: PriceConfig;
  /** Sent with each request; `{tenant}`, `{attempt}` and `{step}` are filled in. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Longest for one whole call, ms. */
  readonly timeoutMs: number;
  /** Expected to answer fast enough for a local activity. */
  readonly quick: boolean;
}

/** US dollars per million tokens. */
export interface PriceConfig {
  readonly inputPerMTok: number;
  readonly outputPerMTok: number;
  /** Left out: cached tokens cost what others do. */
  readonly cacheReadPerMTok?: number;
}
