import type { EffectClass } from '../../domain/effect/effect';
import type { Template } from '../../domain/template/template';

/** What configuration says of an MCP server, with every setting decided. */
export interface McpServerConfig {
  /** As in holdfast.yaml; errors, log lines and origins of tools call it so. */
  readonly name: string;
  readonly transport: McpTransportConfig;
  /** Put before the names of its tools; the empty text where it has none. */
  readonly prefix: string;
  /** By the server's own names, without the prefix. */
  readonly tools: Readonly<Record<string, McpToolConfig>>;
  /** For every tool that the server has and `tools` does not name. */
  readonly default: McpToolConfig;
}

export type McpTransportConfig =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      /** Absolute. */
      readonly cwd: string;
      readonly env: Settings;
    }
  | { readonly kind: 'http'; readonly url: string; readonly headers: Settings };

/** Values by name; a secret is read each time the server is started and never written anywhere (R10.4). */
export type Settings = Readonly<Record<string, string | Secret>>;
export interface Secret {
  /** Variable that holds it. */
  readonly env: string;
  readonly read: () => string | undefined;
}

export type McpToolConfig = McpReadConfig | McpWriteConfig;
interface McpToolBase {
  /** Longest for one call, ms. */
  readonly timeoutMs: number;
  readonly quick: boolean;
  readonly untrusted: boolean;
  /** Polls in a row with the same answer that are no loop (R7.3). */
  readonly polling?: number;
  /** Arguments that change nothing of what is asked (R7.1). */
  readonly incidental?: readonly string[];
}
export interface McpReadConfig extends McpToolBase {
  readonly effect: 'none';
  readonly protected?: true;
  /** What it looks at (R8.6). */
  readonly target?: Template;
  /** What its answer is the content of (R3.3). */
  readonly source?: Template;
}
export type McpWriteConfig = McpToolBase & {
  readonly businessKey?: Template;
  readonly target?: Template;
  readonly scope?: 'tenant' | 'task';
  /** Argument that the idempotency key is put in; the model does not see it. */
  readonly keyArgument?: string;
  readonly operationArguments?: readonly string[];
  readonly credentialDomain?: string;
  readonly rejectionIsFinalForKey?: true;
  readonly compensation?: CallTemplate;
} & ({ readonly effect: Exclude<EffectClass, 'probed'> } | { readonly effect: 'probed'; readonly probe: CallTemplate });

/** A tool of the same server, by its own name, and its arguments with placeholders. */
export interface CallTemplate {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}
