/**
 * Locks by name, each held by one transaction to its end, handed on in the order in which they were asked for.
 *
 *   I1  Who asks for a lock that is his has it at once.
 *   I2  Waits that would close a circle throw at once, as a database ends one of the two after a while.
 */
export class Locks {
  /** How often two transactions waited for each other. */
  deadlocks = 0;
  private readonly held = new Map<string, { owner: object; waiting: { owner: object; grant: () => void }[] }>();

  /** Whose connection is gone; what they ask for never comes. */
  private readonly gone = new WeakSet<object>();

  async take(name: string, owner: object): Promise<void> {
    if (this.gone.has(owner)) await new Promise(() => {});
    const lock = this.held.get(name);
    if (!lock) {
      this.held.set(name, { owner, waiting: [] });
      return;
    }
    if (lock.owner === owner) return; // I1
    if (this.waitsFor(lock.owner, owner)) {
      this.deadlocks += 1;
      throw new DeadlockError(name); // I2
    }
    await new Promise<void>((grant) => lock.waiting.push({ owner, grant }));
  }

  /** Whether it was free, or is the owner's. */
  tryTake(name: string, owner: object): boolean {
    const lock = this.held.get(name);
    if (!lock) this.held.set(name, { owner, waiting: [] });
    return !lock || lock.owner === owner;
  }

  /** Gives back what it holds and asks for no more. */
  release(owner: object): void {
    for (const [name, lock] of this.held) {
      lock.waiting = lock.waiting.filter((waiting) => waiting.owner !== owner);
      if (lock.owner !== owner) continue;
      const next = lock.waiting.shift();
      if (!next) {
        this.held.delete(name);
        continue;
      }
      lock.owner = next.owner;
      next.grant();
    }
  }

  /** The connection is gone: what it holds is given back, and it goes on no more. */
  drop(owner: object): void {
    this.gone.add(owner);
    this.release(owner);
  }

  private waitsFor(waiter: object, owner: object): boolean {
    for (const lock of this.held.values()) {
      if (!lock.waiting.some((waiting) => waiting.owner === waiter)) continue;
      return lock.owner === owner || this.waitsFor(lock.owner, owner);
    }
    return false;
  }
}

export class DeadlockError extends Error {
  override readonly name = 'DeadlockError';
  constructor(lock: string) {
    super(`Two transactions wait for each other, one of them for ${lock}.`);
  }
}
