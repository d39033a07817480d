import { useRef, useState } from 'preact/hooks';
import { post, Refused } from '../data/api';

/** Something that is sent when a person says so: one at a time, and once, also where the answer is lost and they press again. */
export function useAsked<T>(onDone: (answer: T) => void) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Refused>();
  const sent = useRef<{ readonly what: string; readonly key: string } | undefined>(undefined);
  const ask = async (path: string, body: object) => {
    const what = JSON.stringify([path, body]);
    if (sent.current?.what !== what) sent.current = { what, key: crypto.randomUUID() };
    setBusy(true);
    try {
      const answer = await post<T>(path, body, sent.current.key);
      sent.current = undefined;
      setError(undefined);
      onDone(answer);
    } catch (failure) {
      if (!(failure instanceof Refused)) throw failure;
      // What was refused is something new when it is sent again; what was not answered is the same.
      if (failure.problem.status !== 0 && failure.problem.status < 500) sent.current = undefined;
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return { ask, busy, error };
}
