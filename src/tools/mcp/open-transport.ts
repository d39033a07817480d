import { StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import { boundedFetch } from './bounded-fetch';
import type { McpTransportConfig } from './mcp-config';
import { type Redaction, resolveSettings } from './settings';
import { StdioTransport } from './stdio/stdio-transport';

/** Longest message that is read, bytes: eight times what a result may have, so that a long one is still understood. */
export const maxMessageBytes = 8 * 1024 * 1024;
/** Of what a server writes to its standard error; its last words say why it ended, characters. */
const lastWordsMax = 2_000;

export interface OpenTransport {
  readonly transport: Transport;
  /** End of what the server has written to its standard error so far, in one line, without secrets; empty over HTTP. */
  readonly lastWords: () => string;
  /** For whatever the server says. */
  readonly redaction: Redaction;
}

/** Nothing is started yet. Throws where a secret is not set. `onLine` gets what the server writes to its standard error. */
export function openTransport(config: McpTransportConfig, onLine: (line: string) => void): OpenTransport {
  switch (config.kind) {
    case 'http': {
      const { values: headers, redaction } = resolveSettings(config.headers);
      // One call is one request: whoever follows a redirect asks twice, and perhaps somebody who was not to see the headers.
      const requestInit = { headers, redirect: 'manual' } as const;
      const options = { fetch: boundedFetch(maxMessageBytes), requestInit };
      return {
        transport: new StreamableHTTPClientTransport(new URL(config.url), options),
        lastWords: () => '',
        redaction,
      };
    }
    case 'stdio': {
      const { values, redaction } = resolveSettings(config.env);
      const { command, args, cwd } = config;
      let words = '';
      const onStderr = (said: string, whole: boolean) => {
        const line = (whole ? redaction.text(said) : redaction.cutText(said)).trim();
        words = (words === '' ? line : `${words} / ${line}`).slice(-lastWordsMax);
        onLine(line);
      };
      const program = { command, args, cwd, env: { ...getDefaultEnvironment(), ...values } };
      return {
        transport: new StdioTransport({ program, maxMessageBytes, onStderr }),
        lastWords: () => words,
        redaction,
      };
    }
  }
}
