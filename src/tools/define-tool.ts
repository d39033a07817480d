import type { ToolContext, ToolDefinition, ToolResult } from '../activities/ports';
import { type ArgumentsOf, compileArguments, type ObjectSchema } from './arguments';

interface Common<Schema extends ObjectSchema> {
  /** Unique in a registry; what transcripts and policies call it. */
  readonly name: string;
  /** For the model: what it does, in which units, and what it refuses. */
  readonly description: string;
  readonly schema: Schema;
  /** Expected to end within about 50 ms: may run as a local activity. */
  readonly quick: boolean;
  /** Longest that it may run, ms. */
  readonly timeoutMs: number;
}
type Run<Schema extends ObjectSchema> = (args: ArgumentsOf<Schema>, context: ToolContext) => Promise<ToolResult>;

type ToolSpec<Schema extends ObjectSchema> = Common<Schema> &
  (
    | { readonly effect: 'control' }
    | { readonly effect: 'none' | 'idempotent'; readonly workspace: boolean; readonly run: Run<Schema> }
  );

/**
 * A tool whose `run` gets arguments that its schema let through, typed by that schema. Throws where the schema itself is wrong.
 */
export function defineTool<const Schema extends ObjectSchema>(spec: ToolSpec<Schema>): ToolDefinition {
  return { ...spec, validate: compileArguments(spec.schema) };
}
