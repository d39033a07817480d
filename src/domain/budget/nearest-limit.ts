import type { Account, LimitName, Limits } from './account';
import { usedOf } from './used-of';

export interface NearestLimit {
  readonly limit: LimitName;
  readonly used: number;
  readonly max: number;
  /** Of the limit that is used; over 1 where what was billed passed it. */
  readonly share: number;
}

/** The limit that the attempt comes to first as things stand; undefined where nothing is used. A limit of 0 permits nothing. */
export function nearestLimit(account: Account, limits: Limits): NearestLimit | undefined {
  const used = usedOf(account);
  const shares = (Object.keys(used) as LimitName[]).flatMap((limit): NearestLimit[] =>
    used[limit] > 0 && limits[limit] > 0
      ? [{ limit, used: used[limit], max: limits[limit], share: used[limit] / limits[limit] }]
      : [],
  );
  return shares.sort((a, b) => b.share - a.share)[0];
}
