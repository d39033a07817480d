import { hold } from './run/hold';

/** Of one share, ms, as in schedules.test.ts. */
jest.setTimeout(300_000);

const shareSeeds = 250;

test.each([1_001, 1_251, 1_501, 1_751])(
  'E1 E2 E3 E4 E5 E6 E7 E8 M1 M3 M4 M5 M8 M9 R4.4 R6.2 R16.4 the schedules from seed %d on hold too',
  async (from) => {
    await hold(from, shareSeeds);
  },
);
