/** Longest text that a row holds and that the model is shown whole, bytes of UTF-8; a longer one is in the object store (R10.3). */
export const inlineBytesMax = 16 * 1024;

/**
 * The beginning and the end of a text that is too long, at most `maxBytes` of UTF-8 in all, with a line between them
 * that says how to read the rest. A text that fits is returned as it is. `hash` names the artifact that holds it whole.
 */
export function headTail(text: string, maxBytes: number, hash: string): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= maxBytes) return text;

  // The line is measured with the largest numbers it can hold, so that the sum never exceeds the limit.
  const room = maxBytes - pointer(hash, bytes.length, bytes.length).length;
  if (room < 0) throw new RangeError(`${maxBytes} bytes have no room for the pointer`);
  const headEnd = boundaryAtOrBefore(bytes, Math.floor(room / 2));
  const tailStart = boundaryAtOrAfter(bytes, bytes.length - Math.floor(room / 2));
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const head = decoder.decode(bytes.subarray(0, headEnd));
  const tail = decoder.decode(bytes.subarray(tailStart));
  return head + pointer(hash, tailStart - headEnd, headEnd) + tail;
}

/** ASCII, so its length is its size. */
const pointer = (hash: string, missing: number, offset: number) =>
  `\n[... ${missing} bytes left out here. Read them with read_artifact {"hash":"${hash}","offset":${offset}} ...]\n`;

/** What `headTail` left out of a text, and what it kept before it; undefined where it says of no artifact that it holds the rest. */
export function leftOutHash(text: string): { readonly head: string; readonly hash: string } | undefined {
  const found = /\n\[\.\.\. \d+ bytes left out here\. Read them with read_artifact \{"hash":"([0-9a-f]{64})"/.exec(
    text,
  );
  const [, hash] = found ?? [];
  return found && hash !== undefined ? { head: text.slice(0, found.index), hash } : undefined;
}

/** The first byte of a character is any that is no continuation byte (10xxxxxx). */
const startsCharacter = (byte: number | undefined) => byte === undefined || (byte & 0xc0) !== 0x80;

function boundaryAtOrBefore(bytes: Uint8Array, index: number): number {
  let at = index;
  while (!startsCharacter(bytes[at])) at -= 1;
  return at;
}

function boundaryAtOrAfter(bytes: Uint8Array, index: number): number {
  let at = index;
  while (!startsCharacter(bytes[at])) at += 1;
  return at;
}
