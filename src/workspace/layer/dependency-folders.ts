/** Folders that hold what others wrote, made from manifests and lock files; only these are shared. */
export const dependencyFolders: ReadonlySet<string> = new Set([
  'node_modules',
  '.venv',
  'venv',
  'vendor',
  '.bundle',
  'Pods',
  'deps',
  '.pnpm-store',
  '.yarn',
]);

/** Tools write these below node_modules while they run; as folders of the layer they can be covered by writable ones. */
export const scratchFolders: readonly string[] = ['.cache', '.vite', '.vite-temp'];
