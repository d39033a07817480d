import { createRegistry } from '../tools/registry';

/** Tools that a task file may name. */
export function toolNames(): readonly string[] {
  return createRegistry().names();
}
