import type { FetchLike } from '@modelcontextprotocol/client';

/** Thrown into the reading of an answer that is longer than anybody would read. */
export class AnswerTooLong extends Error {
  constructor(max: number) {
    super(`the answer is longer than ${max} bytes`);
    this.name = 'AnswerTooLong';
  }
}

/** fetch whose answers to a POST end with an error after `maxBytes`; a stream of events that stays open is not counted. */
export function boundedFetch(maxBytes: number): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (init?.method !== 'POST' || response.body === null) return response;
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(counting(maxBytes)), { status, statusText, headers });
  };
}

function counting(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) controller.error(new AnswerTooLong(maxBytes));
      else controller.enqueue(chunk);
    },
  });
}
