import { setTimeout as sleep } from 'node:timers/promises';
import { type Line, readStream } from '../../console/src/data/event-stream';

const event = (sequence: number, type = 'action_started', step = 't/1/s1') =>
  `id: ${sequence}\nevent: event\ndata: ${JSON.stringify({ sequence, event_type: type, step_id: step })}\n\n`;
const preview = (text: string, step = 't/1/s1') =>
  `event: preview\ndata: ${JSON.stringify({ step_id: step, stream_id: 'x', part: 1, text })}\n\n`;
const caughtUp = 'event: caught_up\ndata: {"sequence":0}\n\n';

/** A line that says these chunks and then ends, or breaks. */
const said = (chunks: readonly string[], then: 'end' | 'break' = 'end') =>
  new Response(
    new ReadableStream({
      async start(controller) {
        for (const chunk of chunks) {
          controller.enqueue(new TextEncoder().encode(chunk));
          await sleep(1);
        }
        if (then === 'end') controller.close();
        else controller.error(new Error('cut'));
      },
    }),
  );

/** What came of lines that are opened one after another; at the last one's end the reader is stopped. */
async function read(...lines: readonly (() => Response | Promise<Response>)[]) {
  const stop = new AbortController();
  const got = { sequences: [] as number[], previews: [] as string[], lines: [] as Line[], after: [] as number[] };
  await readStream(
    async (after) => {
      got.after.push(after);
      const open = lines[got.after.length - 1];
      if (open) return open();
      stop.abort();
      throw new Error('stopped');
    },
    {
      onEvents: (events) => got.sequences.push(...events.map(({ sequence }) => sequence)),
      onPreview: ({ text }) => got.previews.push(text),
      onLine: (line) => got.lines.push(line),
    },
    stop.signal,
  );
  return got;
}

test('R10.2 each event is handed over once and in order, over lines that break in the middle of a frame or say it again', async () => {
  const cut = event(3).slice(0, 20);
  const got = await read(
    () => said([event(1), event(2) + cut], 'break'),
    () => Promise.reject(new Error('nobody there')),
    () => new Response('', { status: 503 }),
    () => said([event(2), caughtUp, event(3), event(4).slice(0, 9), event(4).slice(9)]),
  );
  expect(got.sequences).toEqual([1, 2, 3, 4]);
  expect(got.after).toEqual([0, 2, 2, 2, 4]);
  expect(got.lines).toEqual(['reading', 'away', 'away', 'away', 'live', 'away']);
});

test('R10.2 words of a step that has its answer are late, in the same chunk and after it; those of the next are shown', async () => {
  const got = await read(() =>
    said([preview('one '), event(1, 'model_answered') + preview('late '), preview('later '), preview('two', 't/1/s2')]),
  );
  expect(got.previews).toEqual(['one ', 'two']);
});

test('what another try cannot change is not tried again', async () => {
  const got = await read(() => new Response('', { status: 404 }));
  expect(got.lines).toEqual(['reading', 'refused']);
  expect(got.after).toEqual([0]);
});

test('a line that says nothing any more is given up, and opened again', async () => {
  jest.useFakeTimers();
  try {
    let cancelled = false;
    const silent = new Response(
      new ReadableStream({
        cancel() {
          cancelled = true;
        },
      }),
    );
    const reading = read(() => silent);
    await jest.advanceTimersByTimeAsync(39_000);
    expect(cancelled).toBe(false);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(cancelled).toBe(true);
    await jest.advanceTimersByTimeAsync(1_000);
    expect((await reading).lines).toEqual(['reading', 'away']);
  } finally {
    jest.useRealTimers();
  }
});
