import { useEffect, useState } from 'preact/hooks';
import { get, Refused } from './api';

export interface Polled<T> {
  /** What was answered last; undefined before the first answer. */
  readonly data: T | undefined;
  /** Why the last try failed; what was answered before stays. */
  readonly error: Refused | undefined;
  readonly again: () => void;
}

/** What a path answers, asked again every `everyMs` while the page is seen. */
export function usePolled<T>(path: string, everyMs: number): Polled<T> {
  const [data, setData] = useState<{ readonly path: string; readonly value: T }>();
  const [error, setError] = useState<Refused>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      try {
        if (!document.hidden) {
          const value = await get<T>(path, stop.signal);
          setData({ path, value });
          setError(undefined);
        }
      } catch (failure) {
        if (failure instanceof Refused) setError(failure);
      }
      if (!stop.signal.aborted) timer = setTimeout(ask, everyMs);
    };
    void ask();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [path, everyMs, round]);
  return { data: data?.path === path ? data.value : undefined, error, again: () => setRound(round + 1) };
}
