import type { Config } from '../config';
import type { StackAddresses } from '../embedded/attach';
import { installedProgram } from '../embedded/programs/find-program';
import { temporalCli } from '../embedded/programs/server-programs';

/**
 * How Temporal's own command line reaches the server that was started here: its default address is another. Undefined where
 * the environment names a service, which that command line reads too.
 */
export async function temporalCommand(
  { temporal, embedded }: Pick<Config, 'temporal' | 'embedded'>,
  { temporalAddress, namespace }: Pick<StackAddresses, 'temporalAddress' | 'namespace'>,
): Promise<string | undefined> {
  if (temporal !== undefined) return undefined;
  const found = await installedProgram(temporalCli, embedded);
  const program = found === undefined || found.how === 'on the PATH' ? temporalCli.name : found.path;
  return `${program} --address ${temporalAddress} --namespace ${namespace}`;
}
