import type { Random } from './random';

/** What changes in an answer by itself; one tool has it in one way, and another value each time. */
export type Noise = () => string;

/** One of the ways that servers, runners and terminals have. */
export function noiseOf(random: Random): Noise {
  const at = () =>
    new Date(
      Date.UTC(2026, random.between(0, 11), random.between(1, 28), random.between(0, 23), random.between(0, 59)),
    );
  const uuid = () => [8, 4, 4, 4, 12].map((digits) => random.hex(digits)).join('-');
  return random.pick<Noise>([
    () => `[${at().toISOString()}]`,
    () => `request_id=${random.between(1, 1e6)} at ${at().toUTCString()}`,
    () => `took ${random.between(1, 9_999)} ms, trace ${random.hex(15)}a`,
    () => `${at().toISOString().slice(11, 19)} INFO (node:${random.between(100, 99_999)})`,
    () => `{"id":"${uuid()}","elapsedMs":${random.between(1, 5_000)}}`,
    () => `Time:        ${random.between(1, 90)}.${random.between(0, 9)} s, /tmp/run.${random.hex(6)}/log`,
    () =>
      `[${'='.repeat(random.between(2, 20))}>${' '.repeat(random.between(2, 20))}] req_${random.hex(5)}7${random.hex(6)}`,
    () => `${Math.floor(at().getTime() / 1000)} 0x7f${random.hex(8)} on 127.0.0.1:${random.between(32_768, 60_999)}`,
  ]);
}
