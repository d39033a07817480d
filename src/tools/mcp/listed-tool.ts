import type { Tool } from '@modelcontextprotocol/client';
import { canonicalHash } from '../../domain/canonical';

/** A tool as its server describes it. */
export interface ListedTool {
  /** The server's own name for it. */
  readonly name: string;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
  /** Over all that the model is told of it: another hash is another tool (R12.2). */
  readonly hash: string;
}

export function listedTool({ name, description = '', inputSchema }: Tool): ListedTool {
  const schema = { ...inputSchema };
  return { name, description, schema, hash: canonicalHash({ name, description, schema }) };
}
