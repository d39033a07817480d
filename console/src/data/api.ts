import type { Answers } from '../../../src/gateway/answers';
import { setToken, token } from './token';

export type Problem = Answers['ProblemDocument'];

/** The gateway said no, or did not answer: then `status` is 0. */
export class Refused extends Error {
  constructor(readonly problem: Pick<Problem, 'status' | 'detail' | 'next' | 'errors'>) {
    super(problem.detail);
  }
}

export const headers = () => ({ authorization: `Bearer ${token.value}` });

/** An attempt's id has a slash, which is part of its name. */
export const pathOf = (attemptId: string) => `/v1/attempts/${encodeURIComponent(attemptId)}`;

export const get = <T>(path: string, signal?: AbortSignal): Promise<T> =>
  answered<T>(() => fetch(path, { headers: headers(), ...(signal && { signal }) }));

/** `key`: the same for each time that the same thing is sent, so that it is done once. */
export const post = <T>(path: string, body: object, key: string = crypto.randomUUID()): Promise<T> =>
  answered<T>(() =>
    fetch(path, {
      method: 'POST',
      headers: { ...headers(), 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(body),
    }),
  );

async function answered<T>(ask: () => Promise<Response>): Promise<T> {
  let response: Response;
  try {
    response = await ask();
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw error;
    throw new Refused({ status: 0, detail: 'The gateway does not answer.', next: 'It is tried again by itself.' });
  }
  if (response.ok) return (await response.json()) as T;
  const problem = (await response.json().catch(() => ({}))) as Partial<Problem>;
  if (response.status === 401) setToken('');
  throw new Refused({
    status: response.status,
    detail: problem.detail ?? `It answered ${response.status}.`,
    ...problem,
  });
}
