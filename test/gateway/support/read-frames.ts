/** What came over the wire; a test says what it expects of it. */
// biome-ignore lint/suspicious/noExplicitAny: an assertion is what checks its shape
export type Loose = any;

/** One frame of an event stream. */
export interface Frame {
  readonly id?: number;
  readonly event: string;
  readonly data: Loose;
}

/** The frames of a stream as they come, until it ends or is aborted; comments are left out. */
export async function* readFrames({ body }: Response): AsyncGenerator<Frame> {
  if (body === null) return;
  let text = '';
  const decoder = new TextDecoder();
  try {
    for await (const chunk of body) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const frame = frameOf(text.slice(0, end));
        text = text.slice(end + 2);
        if (frame) yield frame;
      }
    }
  } catch (error) {
    if ((error as Error).name !== 'AbortError' && (error as Error).message !== 'terminated') throw error;
  }
}

function frameOf(text: string): Frame | undefined {
  const fields = new Map(
    text.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  const event = fields.get('event');
  if (event === undefined) return undefined;
  const id = fields.get('id');
  return { event, data: JSON.parse(fields.get('data') ?? 'null'), ...(id !== undefined && { id: Number(id) }) };
}
