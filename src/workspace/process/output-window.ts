/** Head and tail of a stream in bounded memory; the middle is counted and left out. */
export interface OutputWindow {
  add(chunk: Buffer): void;
  /** Bytes seen in all. */
  readonly bytes: number;
  /** Valid text without NUL, at most about `maxBytes`; where bytes were left out, a line between head and tail says how many. */
  text(): string;
}

export function createOutputWindow(maxBytes: number): OutputWindow {
  const headBytes = Math.ceil(maxBytes / 2);
  const tailBytes = maxBytes - headBytes;
  const head: Buffer[] = [];
  let headLength = 0;
  let tail: Buffer[] = [];
  let tailLength = 0;
  let bytes = 0;

  /** Whole chunks are dropped from the front while the rest still fills the tail. */
  const trim = () => {
    for (let first = tail[0]; first && tailLength - first.byteLength >= tailBytes; first = tail[0]) {
      tail.shift();
      tailLength -= first.byteLength;
    }
    // Many tiny chunks would cost far more than their bytes.
    if (tail.length > maxTailChunks) tail = [Buffer.concat(tail)];
  };

  return {
    add(chunk) {
      bytes += chunk.byteLength;
      const toHead = chunk.subarray(0, headBytes - headLength);
      if (toHead.byteLength > 0) head.push(Buffer.from(toHead)); // a copy, so that a 64 KiB buffer is not held by a line
      headLength += toHead.byteLength;
      const rest = chunk.subarray(toHead.byteLength);
      if (rest.byteLength === 0) return;
      tail.push(Buffer.from(rest));
      tailLength += rest.byteLength;
      trim();
    },
    get bytes() {
      return bytes;
    },
    text() {
      const end = Buffer.concat(tail);
      const shown = end.subarray(Math.max(0, end.byteLength - tailBytes));
      const omitted = bytes - headLength - shown.byteLength;
      if (omitted === 0) return toText(Buffer.concat([...head, shown]));
      return `${toText(Buffer.concat(head))}\n[… ${omitted} bytes left out …]\n${toText(shown)}`;
    },
  };
}

/** Beyond this many, the bookkeeping of a chunk outweighs joining them into one. */
const maxTailChunks = 1_024;

/** PostgreSQL stores no NUL in a text. */
const toText = (bytes: Buffer) => bytes.toString('utf8').replaceAll('\0', '\uFFFD');
