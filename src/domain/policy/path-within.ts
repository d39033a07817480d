/**
 * Whether a path of the workspace lies at or below a folder, by whole names: `src` holds `src/a.ts` and not `srcs/a.ts`.
 * An absolute path and one that leaves the workspace lie nowhere. Says nothing of links, which only the file system knows.
 */
export function pathWithin(path: string, folder: string): boolean {
  const [names, above] = [normal(path), normal(folder)];
  if (names === undefined || above === undefined) return false;
  return above.every((name, index) => names[index] === name);
}

function normal(path: string): readonly string[] | undefined {
  if (path.startsWith('/')) return undefined;
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.pop() === undefined) return undefined;
  }
  return names;
}
