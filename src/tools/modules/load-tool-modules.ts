import { InputError } from '../../located-yaml/input-error';
import type { ToolSource } from '../registry';
import { exportedTools } from './exported-tools';

/**
 * The tools of the modules at these absolute paths, TypeScript or JavaScript. Their import of `holdfast` is this very copy,
 * wherever they lie. Throws InputError, with the file, where one cannot be loaded, or exports what is no tool.
 */
export async function loadToolModules(paths: readonly string[]): Promise<readonly ToolSource[]> {
  if (paths.length === 0) return [];
  const sources: ToolSource[] = [];
  for (const path of paths) sources.push({ origin: path, tools: exportedTools(path, await load(path)) });
  return sources;
}

async function load(path: string): Promise<unknown> {
  // Loaded late: it takes 30 ms, which a command without tool modules does not wait for.
  const { createJiti } = require('jiti') as typeof import('jiti');
  // Nothing is kept on the disk: a module is read once by a process, and a stale copy would be another tool.
  const jiti = createJiti(__filename, { alias: { holdfast: require.resolve('../../index') }, fsCache: false });
  try {
    return await jiti.import(path);
  } catch (error) {
    const why = typeof error === 'object' && error !== null && 'message' in error ? error.message : error;
    throw new InputError([{ message: `${path}: this tool module cannot be loaded: ${String(why)}` }]);
  }
}
