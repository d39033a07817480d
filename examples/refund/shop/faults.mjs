import { isDeepStrictEqual } from 'node:util';
import { operations } from './operations.mjs';
import { Refusal } from './refusal.mjs';

/**
 * What can be made to go wrong with a request, and whether the operation is committed all the same. A fault comes with
 * the request (header `X-Shop-Fault: commit_then_hang`), or is armed for the next `times` that fit (POST /faults).
 * Armed ones are forgotten when the shop ends.
 */
export const faultKinds = [
  'slow_before_commit', // commits `ms` later, or when released, whether or not anybody waits still
  'drop_before_commit', // ends the connection; nothing is done
  'refuse', // says no; nothing is done
  'commit_then_hang', // commits, and answers `ms` later, or when released
  'commit_then_drop', // commits, and ends the connection instead of answering
  'commit_then_500', // commits, and says that something went wrong
];

export class Faults {
  armed = [];
  #held = new Map();

  /** `{ fault, operation?, where?, times?, ms? }`; throws a Refusal where it makes no sense. `where`: arguments that must be equal. */
  arm({ fault, operation, where = {}, times = 1, ms }) {
    if (!faultKinds.includes(fault)) throw wrong(`"fault" is one of ${faultKinds.join(', ')}.`);
    if (operation !== undefined && !Object.hasOwn(operations, operation))
      throw wrong(`No operation is named "${operation}".`);
    if (!Number.isInteger(times) || times < 1) throw wrong('"times" is a whole number from 1.');
    if (ms !== undefined && !(ms >= 0)) throw wrong('"ms" is a number of milliseconds.');
    const armed = {
      fault,
      ...(operation !== undefined && { operation }),
      where,
      times,
      ...(ms !== undefined && { ms }),
    };
    this.armed.push(armed);
    return armed;
  }

  /** Nothing goes wrong any more, and whatever is held goes on. */
  clear() {
    this.armed = [];
    this.release();
  }

  /** The fault of a request, used up; undefined where it has none. Throws a Refusal for a header that names no fault. */
  take(operation, args, header) {
    if (header !== undefined) {
      const [fault, ms] = header.split(';ms=');
      if (!faultKinds.includes(fault))
        throw wrong(`X-Shop-Fault is one of ${faultKinds.join(', ')}, with ";ms=" where it waits.`);
      return { fault, ...(ms !== undefined && { ms: Number(ms) }) };
    }
    const found = this.armed.find((armed) => fits(armed, operation, args));
    if (found === undefined) return undefined;
    found.times -= 1;
    if (found.times === 0) this.armed.splice(this.armed.indexOf(found), 1);
    return found;
  }

  /** Resolves after `ms`, or where there are none when released. Until then the request is told of in `held`. */
  hold(request, ms) {
    return new Promise((resolve) => {
      const goOn = () => {
        clearTimeout(timer);
        this.#held.delete(goOn);
        resolve();
      };
      const timer = ms === undefined ? undefined : setTimeout(goOn, ms);
      this.#held.set(goOn, request);
    });
  }

  /** Requests that wait at present, as `{ operation, key?, args, committed }`. */
  get held() {
    return [...this.#held.values()];
  }

  release() {
    for (const goOn of [...this.#held.keys()]) goOn();
  }
}

function fits({ operation, where }, asked, args) {
  if (operation !== undefined && operation !== asked) return false;
  return Object.entries(where).every(([name, value]) => isDeepStrictEqual(args[name], value));
}

function wrong(message) {
  return new Refusal(400, 'BAD_FAULT', message);
}
