import type { Config } from '../config';
import { knownTools } from '../tools/load-tools';
import type { KnownNames } from './task-file';

/** Tools that a task file may name; tool modules are loaded for it, and no server is started. */
export async function toolNames(config: Config): Promise<Pick<KnownNames, 'tools' | 'moreTools'>> {
  const { tools, ofServers, more } = await knownTools(config);
  return { tools: [...tools.names(), ...ofServers.map(({ name }) => name)], moreTools: more };
}
