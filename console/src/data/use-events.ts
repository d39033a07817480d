import { useEffect, useRef, useState } from 'preact/hooks';
import type { WireEvent } from '../../../src/protocol/wire-event';
import { emptyTimeline, type Timeline, withEvent } from '../timeline/timeline';
import { headers, pathOf } from './api';
import { type Line, readStream } from './event-stream';
import { setToken } from './token';

export interface Followed {
  readonly events: readonly WireEvent[];
  readonly timeline: Timeline;
  /** What the model says at this moment; gone when its answer is there. */
  readonly saying: string;
  readonly line: Line;
}

/** An attempt's events from its first on, live, for as long as the screen shows it. */
export function useEvents(attemptId: string): Followed {
  const [followed, setFollowed] = useState<Followed>({
    events: [],
    timeline: emptyTimeline,
    saying: '',
    line: 'reading',
  });
  const stream = useRef('');
  useEffect(() => {
    const stop = new AbortController();
    void readStream(
      async (after, signal) => {
        const asked = { ...headers(), accept: 'text/event-stream', 'last-event-id': String(after) };
        const response = await fetch(`${pathOf(attemptId)}/events`, { headers: asked, signal });
        if (response.status === 401) setToken('');
        return response;
      },
      {
        onEvents: (news) =>
          setFollowed(({ events, timeline, saying, line }) => ({
            events: [...events, ...news],
            timeline: news.reduce(withEvent, timeline),
            saying: news.some(({ event_type: type }) => type === 'model_answered' || type === 'model_failed')
              ? ''
              : saying,
            line,
          })),
        onPreview: ({ stream_id, text }) => {
          const anew = stream.current !== stream_id;
          stream.current = stream_id;
          setFollowed((before) => ({ ...before, saying: anew ? text : before.saying + text }));
        },
        onLine: (line) => setFollowed((before) => ({ ...before, line })),
      },
      stop.signal,
    );
    return () => stop.abort();
  }, [attemptId]);
  return followed;
}
