/** The value below which `share` of the sorted values lie; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]) => quantile(values, 0.5);
export const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Time between each two stamps that follow each other. */
export function gaps(stamps: readonly number[]): number[] {
  return stamps.slice(1).map((stamp, index) => stamp - (stamps[index] ?? Number.NaN));
}
