/** Whether a dotted version is at least `min`; numbers are compared, whatever follows them is not. */
export function isAtLeast(version: string, min: string): boolean {
  const have = numbers(version);
  const want = numbers(min);
  for (const [index, number] of want.entries()) {
    const mine = have[index] ?? 0;
    if (mine !== number) return mine > number;
  }
  return true;
}

const numbers = (version: string) => (/\d+(\.\d+)*/.exec(version)?.[0] ?? '0').split('.').map(Number);
