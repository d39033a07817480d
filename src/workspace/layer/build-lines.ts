import type { CommitFiles } from './commit-files';
import type { DependencyLayer } from './dependency-layer';
import { lifecycleLines } from './lifecycle';

/** A git hook is nobody's to install here, and npm's links to the repository's own packages follow the checkout. */
export const buildEnvironment = { HUSKY: '0', npm_config_install_links: 'false' } as const;

/**
 * The shell line that makes from a checkout's own sources what setup makes of them, as its commit says; undefined where
 * there is nothing to make.
 */
export async function buildLine({ build }: DependencyLayer, files: CommitFiles): Promise<string | undefined> {
  const lines = [...build.lines, ...(await lifecycleLines(build.packages, files))];
  return lines.length === 0 ? undefined : ['set -e', ...lines.map((line) => `(set -e\n${line}\n)`)].join('\n');
}
