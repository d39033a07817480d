/** Runs work under the same key one after another, in the order of the calls; a failed one does not stop the next. */
export type Serially = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export function createSerial(): Serially {
  const tails = new Map<string, Promise<void>>();

  return async function serially<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = tails.get(key) ?? Promise.resolve();
    const running = before.then(work);
    const tail = running.then(ignore, ignore);
    tails.set(key, tail);
    try {
      return await running;
    } finally {
      if (tails.get(key) === tail) tails.delete(key);
    }
  };
}

const ignore = () => {};
