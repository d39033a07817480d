import type { RaceStanding } from '../ledger/queries/race-of';

/** The attempts of which one is to be the result (R15.1), and which of them is. */
export function raceWords({ attempts, won }: RaceStanding): string {
  return `${attempts.join(', ')}: ${won === null ? 'none has met the contract' : `${won} met the contract first`}`;
}
