import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { boundedFetch } from './bounded-fetch';
import type { McpTransportConfig } from './mcp-config';
import { resolveSettings } from './settings';

/** Longest message that is read, bytes: eight times what a result may have, so that a long one is still understood. */
export const maxMessageBytes = 8 * 1024 * 1024;
/** Of what a server writes to its standard error; its last words say why it ended, characters. */
const lastWordsMax = 2_000;

export interface OpenTransport {
  readonly transport: StdioClientTransport | StreamableHTTPClientTransport;
  /** End of what the server has written to its standard error so far, in one line, without secrets; empty over HTTP. */
  readonly lastWords: () => string;
  readonly redact: (text: string) => string;
}

/** Nothing is started yet. Throws where a secret is not set. `onLine` gets what the server writes to its standard error. */
export function openTransport(config: McpTransportConfig, onLine: (line: string) => void): OpenTransport {
  switch (config.kind) {
    case 'http': {
      const { values, redact } = resolveSettings(config.headers);
      const options = { fetch: boundedFetch(maxMessageBytes), requestInit: { headers: values } };
      return {
        transport: new StreamableHTTPClientTransport(new URL(config.url), options),
        lastWords: () => '',
        redact,
      };
    }
    case 'stdio': {
      const { values, redact } = resolveSettings(config.env);
      const { command, args, cwd } = config;
      const transport = new StdioClientTransport({
        command,
        args: [...args],
        cwd,
        env: values,
        stderr: 'pipe',
        maxBufferSize: maxMessageBytes,
      });
      let words = '';
      transport.stderr?.on('data', (chunk: Buffer) => {
        const text = redact(chunk.toString('utf8'));
        words = (words + text).slice(-lastWordsMax);
        for (const line of text.split('\n')) if (line.trim() !== '') onLine(line);
      });
      return { transport, lastWords: () => words.trim().replace(/\s*\n\s*/g, ' / '), redact };
    }
  }
}
