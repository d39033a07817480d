import { Client } from 'pg';
import type { AttemptRef } from '../../protocol/ids';
import type { Preview } from '../../protocol/preview';
import { connectTimeoutMs } from '../database';
import { previewChannel, readPreview } from './preview-wire';

/** A database that restarts is back within seconds, and meanwhile there is nothing to hear. */
const reconnectMs = 1_000;

export interface PreviewEars {
  /** Hands over what is previewed of an attempt from now on, in order, until `stop`. Never throws. */
  hear(ref: AttemptRef, onPreview: (preview: Preview) => void): Hearing;
  /** Ends every hearing and the connection. */
  stop(): Promise<void>;
}
export interface Hearing {
  /** Resolves when the database was asked for them, or could not be; then it is asked again by itself. Never rejects. */
  readonly asked: Promise<void>;
  stop(): void;
}
interface Reader {
  readonly ref: AttemptRef;
  readonly onPreview: (preview: Preview) => void;
}

/** One connection for all readers of a process, while there are any. A lost one is opened again; what was said meanwhile is lost. */
export function hearPreviews(url: string): PreviewEars {
  const readers = new Map<string, Set<Reader>>();
  const heard = new Set<string>();
  let client: Client | undefined;
  let stopped = false;
  let turn: Promise<void> = Promise.resolve();

  const settleSoon = () => {
    turn = turn.then(settle);
    return turn;
  };

  const settle = async (): Promise<void> => {
    try {
      if (readers.size === 0) return await leave();
      client ??= await connect(url, lost, tell);
      for (const channel of readers.keys()) {
        if (heard.has(channel)) continue;
        await client.query(`listen ${channel}`);
        heard.add(channel);
      }
      for (const channel of [...heard]) {
        if (readers.has(channel)) continue;
        await client.query(`unlisten ${channel}`);
        heard.delete(channel);
      }
    } catch {
      lost(client);
    }
  };

  const lost = (which: Client | undefined) => {
    if (which !== client) return;
    client = undefined;
    heard.clear();
    which?.end().catch(() => undefined);
    if (!stopped && readers.size > 0) setTimeout(settleSoon, reconnectMs).unref();
  };

  const leave = async () => {
    const left = client;
    client = undefined;
    heard.clear();
    await left?.end();
  };

  const tell = (channel: string, payload: string | undefined) => {
    for (const { ref, onPreview } of readers.get(channel) ?? []) {
      const preview = readPreview(ref, payload);
      if (preview) onPreview(preview);
    }
  };

  return {
    hear(ref, onPreview) {
      const channel = previewChannel(ref);
      const reader = { ref, onPreview };
      const beside = readers.get(channel) ?? new Set();
      readers.set(channel, beside.add(reader));
      return {
        asked: settleSoon(),
        stop() {
          beside.delete(reader);
          if (beside.size > 0 || readers.get(channel) !== beside) return;
          readers.delete(channel);
          void settleSoon();
        },
      };
    },
    async stop() {
      stopped = true;
      readers.clear();
      await settleSoon();
    },
  };
}

async function connect(
  url: string,
  lost: (client: Client) => void,
  tell: (channel: string, payload: string | undefined) => void,
): Promise<Client> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: 'holdfast previews',
    keepAlive: true,
  });
  client.on('error', () => lost(client));
  client.on('end', () => lost(client));
  client.on('notification', ({ channel, payload }) => tell(channel, payload));
  await client.connect();
  return client;
}
