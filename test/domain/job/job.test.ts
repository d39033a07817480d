import fc from 'fast-check';
import { isDue, type Job, lookAt, pollPauseMs } from '../../../src/domain/job/job';
import { jobTokenHash } from '../../../src/domain/job/token';

const job: Job = {
  handle: 'j-1',
  effect: 'default/convert/1/g1',
  mine: true,
  state: 'running',
  polls: 0,
  nextPollAt: 2_000,
  endsBy: 5_000,
  output: null,
  cancelAsked: false,
};

test('R15.2 a job that runs is due when it is to be asked or has taken too long, and one that has ended always', () => {
  expect(lookAt(job)).toBe(2_000);
  expect(lookAt({ ...job, nextPollAt: 9_000 })).toBe(5_000);
  expect(isDue(job, 1_999)).toBe(false);
  expect(isDue(job, 2_000)).toBe(true);
  expect(isDue({ ...job, nextPollAt: 9_000 }, 5_000)).toBe(true);
  for (const state of ['succeeded', 'failed', 'cancelled'] as const) expect(isDue({ ...job, state }, 0)).toBe(true);
});

test('R15.2 pauses between polls double from a second to five minutes, and what the other side asks for stays within', () => {
  expect([0, 1, 2, 3].map((polls) => pollPauseMs(polls))).toEqual([1_000, 2_000, 4_000, 8_000]);
  expect(pollPauseMs(3, 60_000)).toBe(60_000);
  fc.assert(
    fc.property(fc.nat(), fc.option(fc.double(), { nil: undefined }), (polls, asked) => {
      const pause = pollPauseMs(polls, asked);
      expect(pause).toBeGreaterThanOrEqual(1_000);
      expect(pause).toBeLessThanOrEqual(300_000);
    }),
  );
});

test('R15.2 what is kept of a token is its SHA-256', () => {
  expect(jobTokenHash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
