import { hold } from './run/hold';

/** Of one share, ms: it takes fifteen seconds on a core of its own, and no share waits for another on a machine that is busy. */
jest.setTimeout(300_000);

const shareSeeds = 250;
/** Seeds where the shares start; other-schedules.test.ts runs as many beside these. */
const shares = [1, 251, 501, 751];

/** What schedules come to often enough for it to count: less would mean that they have become tame. */
const often: Readonly<Record<string, number>> = {
  'tasks decided anew': 300,
  'event execution_lost': 80,
  'event effect_unknown': 300,
  'event target_busy': 50,
  'event message_rejected': 300,
  'looks beside others': 1_000,
  'answer act needs_approval': 500,
  'answer act denied': 500,
  'event goal_revised': 100,
  'answer compact compacted': 200,
  'event projection_rejected': 60,
  'answer record suspend': 10,
  'answer settle ended': 30,
  'ended CANCELLED cancelled_effect_committed': 3,
  'request repeated': 100,
  'request refused': 100,
  'effect COMMITTED by person': 50,
  'effect NOT_COMMITTED by person': 50,
  'effect COMMITTED by probe': 30,
};

describe('E1 E2 E3 E4 E5 E6 E7 E8 M1 M3 M4 M5 M8 M9 R1.2 R4.4 R6.2 R14.2 R16.4 whatever is lost, stopped, killed, said, revised or revoked, an operation takes effect at most once, and nothing waits for ever', () => {
  const reached: Record<string, number> = {};

  test.each(shares)('in the schedules from seed %d on', async (from) => {
    for (const [name, count] of Object.entries(await hold(from, shareSeeds)))
      reached[name] = (reached[name] ?? 0) + count;
  });

  test('and these come to what counts often enough', () => {
    const rare = Object.entries(often).filter(([name, least]) => (reached[name] ?? 0) < least);
    expect(rare).toEqual([]);
  });
});
