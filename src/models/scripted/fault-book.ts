import type { Answer, Fault } from './transcript-schema';

/**
 * Which faults were used up: the only memory of a scripted model. Each attempt and step meets the faults of its answer
 * anew, one request at a time, in order.
 */
export class FaultBook {
  private readonly used = new Map<string, number>();

  /** The fault of this request, counted as used; undefined once all are used up. */
  next(where: string, answer: Answer): Fault | undefined {
    const faults = answer.fault === undefined ? [] : [answer.fault].flat();
    if (faults.length === 0) return undefined;

    const before = this.used.get(where) ?? 0;
    let end = 0;
    for (const fault of faults) {
      end += fault.times ?? 1;
      if (before >= end) continue;
      this.used.set(where, before + 1);
      return fault;
    }
    return undefined;
  }
}
