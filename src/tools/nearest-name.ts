/** A misspelt word differs from the one that was meant in a third of its letters at most. */
const changedShareMax = 1 / 3;

/** The name that `given` is most likely a misspelling of; undefined where none is near. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  let nearest: string | undefined;
  let fewest = Math.max(1, Math.floor(given.length * changedShareMax));
  for (const name of names) {
    const changes = changesBetween(given.toLowerCase(), name.toLowerCase());
    if (changes > fewest || (nearest !== undefined && changes === fewest)) continue;
    nearest = name;
    fewest = changes;
  }
  return nearest;
}

/** How many letters have to be put in, taken out or replaced, computed row by row. */
function changesBetween(from: string, to: string): number {
  let before = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [row, letter] of [...from].entries()) {
    const after = [row + 1];
    for (let column = 0; column < to.length; column += 1) {
      const replaced = (before[column] ?? 0) + (to[column] === letter ? 0 : 1);
      after.push(Math.min(replaced, (before[column + 1] ?? 0) + 1, (after[column] ?? 0) + 1));
    }
    before = after;
  }
  return before[to.length] ?? 0;
}
