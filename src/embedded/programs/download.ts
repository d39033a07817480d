/** A name that resolves and a server that listens answer within this, or it is a network that drops packets. */
const connectTimeoutMs = 5_000;
/** Bytes that stop coming for this long do not come any more; a slow line still finishes. */
const stallTimeoutMs = 15_000;
/** How often progress is told. */
const progressEveryBytes = 8 * 1024 * 1024;

export interface DownloadOptions {
  readonly accept?: string;
  readonly connectTimeoutMs?: number;
  /** Bytes so far and in all (undefined where the server does not say). */
  readonly onBytes?: (done: number, total: number | undefined) => void;
}

/** The body of a GET, redirects followed. Rejects on a status other than 2xx, on no answer, and where bytes stop coming. */
export async function download(
  url: string,
  options: DownloadOptions = {},
): Promise<{ body: Buffer; contentType: string }> {
  const abort = new AbortController();
  const within = <T>(limitMs: number, what: string, work: Promise<T>): Promise<T> => {
    const timer = setTimeout(() => abort.abort(new Error(`${what} took more than ${limitMs} ms: ${url}`)), limitMs);
    return work.finally(() => clearTimeout(timer));
  };
  const headers = options.accept === undefined ? {} : { accept: options.accept };
  const answering = fetch(url, { headers, signal: abort.signal });
  const response = await within(options.connectTimeoutMs ?? connectTimeoutMs, 'An answer', answering);
  if (!response.ok || response.body === null) throw new Error(`${url} answered ${response.status}`);

  const length = Number(response.headers.get('content-length') ?? Number.NaN);
  const total = Number.isFinite(length) ? length : undefined;
  const reader = response.body.getReader();
  const chunks: Uint8Array[] = [];
  let done = 0;
  let told = 0;
  for (;;) {
    const part = await within(stallTimeoutMs, 'The next bytes', reader.read());
    if (part.done) break;
    chunks.push(part.value);
    done += part.value.length;
    if (done - told < progressEveryBytes) continue;
    told = done;
    options.onBytes?.(done, total);
  }
  return { body: Buffer.concat(chunks), contentType: response.headers.get('content-type') ?? '' };
}
