const microUsd = 1_000_000;

export const money = (micro: number): string => dollars(micro / microUsd);

/** Cents, and of less than a cent what counts. */
export const dollars = (usd: number): string =>
  usd === 0 ? '$0' : usd < 0.01 ? `$${usd.toPrecision(2)}` : `$${usd.toFixed(2)}`;

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

export function duration(ms: number): string {
  if (ms < secondMs) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < minuteMs) return `${(ms / secondMs).toFixed(ms < 10 * secondMs ? 1 : 0)} s`;
  if (ms < hourMs) return `${Math.floor(ms / minuteMs)} min ${Math.round((ms % minuteMs) / secondMs)} s`;
  if (ms < dayMs) return `${Math.floor(ms / hourMs)} h ${Math.round((ms % hourMs) / minuteMs)} min`;
  return `${Math.floor(ms / dayMs)} d ${Math.round((ms % dayMs) / hourMs)} h`;
}

export const ago = (iso: string, now = Date.now()): string => `${duration(now - Date.parse(iso))} ago`;

export const clock = (at: number | string): string => new Date(at).toLocaleString();

export const stateWord = (state: string): string => state.toLowerCase().replaceAll('_', ' ');

/** Why, where the state does not say it already. */
export const reasonWord = (state: string, reason: string | null): string =>
  reason === null || state === 'COMPLETED' || reason.toUpperCase() === state ? '' : ` ${stateWord(reason)}`;

/** As people read it; what is no JSON stays as it was written. */
export function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}

export function toneOf(state: string): 'good' | 'bad' | 'wait' | 'busy' | 'plain' {
  if (state === 'COMPLETED') return 'good';
  if (state === 'FAILED') return 'bad';
  if (state === 'CANCELLED' || state === 'CREATED') return 'plain';
  if (state.startsWith('WAITING_FOR_') && state !== 'WAITING_FOR_MODEL') return 'wait';
  return state === 'SUSPENDED' || state === 'RECONCILING' ? 'wait' : 'busy';
}
