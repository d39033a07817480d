import { hold } from './run/hold';

jest.setTimeout(300_000);

test('E1 E2 E3 E4 E5 E6 E7 E8 M1 M3 M4 M5 M8 M9 R4.4 R6.2 R16.4 a thousand schedules more hold', async () => {
  await hold(1_001, 1_000);
});
