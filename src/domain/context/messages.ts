/** The model's view of an attempt, in no provider's form (R13.1). */
export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  /** The last message changes from step to step; all before it stays (R13.5). */
  readonly lastChanges?: true;
  readonly tools: readonly ModelTool[];
}
export type ModelMessage =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly ModelToolCall[] }
  /** One for each call of the assistant message before it, in its order. */
  | { readonly role: 'tool'; readonly callId: string; readonly tool: string; readonly output: string };
export interface ModelToolCall {
  readonly callId: string;
  readonly tool: string;
  /** As the model wrote it; may be no JSON. */
  readonly rawArgs: string;
}
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema 2020-12 of an object. */
  readonly schema: Readonly<Record<string, unknown>>;
}
