import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of this package: the same file from the sources and from the built files. */
export function installedVersion(): string {
  const file: unknown = JSON.parse(readFileSync(join(__dirname, '../../../package.json'), 'utf8'));
  return file !== null && typeof file === 'object' && 'version' in file ? String(file.version) : 'unknown';
}
