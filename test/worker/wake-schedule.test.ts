import { WakeSchedule } from '../../src/worker/wake-schedule';

const sweepMs = 2_000;
const idOf = (message: string) => message;

/** When each sweep of so long a time found the message due, s. */
function signalledAt(schedule: WakeSchedule, forMs: number): number[] {
  const at: number[] = [];
  for (let nowMs = 0; nowMs < forMs; nowMs += sweepMs) {
    if (schedule.due(['m'], idOf, nowMs).length > 0) at.push(nowMs / 1_000);
  }
  return at;
}

test('M4 a message that nobody takes is signalled at once and then ever more rarely', () => {
  expect(signalledAt(new WakeSchedule(), 60_000)).toEqual([0, 6, 16, 36]);
});

test('R12.4 a day in one call costs its history few signals', () => {
  const at = signalledAt(new WakeSchedule(), 86_400_000);
  expect(at.length).toBeLessThan(160);
  expect(Math.max(...at.slice(1).map((when, index) => when - (at[index] ?? 0)))).toBeLessThanOrEqual(602);
});

test('M4 a message that was taken is forgotten, and another is due at once', () => {
  const schedule = new WakeSchedule();
  expect(schedule.due(['m'], idOf, 0)).toEqual(['m']);
  expect(schedule.due(['m', 'other'], idOf, 2_000)).toEqual(['other']);
  expect(schedule.due([], idOf, 4_000)).toEqual([]);
  expect(schedule.due(['m'], idOf, 6_000)).toEqual(['m']);
});
