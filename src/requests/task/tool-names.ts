import type { Config } from '../../config';
import { knownTools } from '../../tools/load-tools';
import type { KnownNames } from './known-names';

/** Tools and databases that a task file may name; tool modules are loaded for it, and no server is started. */
export async function toolNames(
  config: Config,
): Promise<Pick<KnownNames, 'tools' | 'reads' | 'moreTools' | 'databases'>> {
  const { tools, ofServers, more } = await knownTools(config);
  const names = tools.names();
  const reads = names.filter((name) => tools.get(name)?.effect === 'none');
  const ofReads = ofServers.filter(({ effect }) => effect === 'none');
  return {
    tools: [...names, ...ofServers.map(({ name }) => name)],
    reads: [...reads, ...ofReads.map(({ name }) => name)],
    moreTools: more,
    databases: Object.keys(config.databases),
  };
}
