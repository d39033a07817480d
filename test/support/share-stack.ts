import type { StackAddresses } from '../../src/embedded/attach';
import { stackVariables } from './stack-variables';

/** Makes a running stack the one that testStack() finds, in this process and those that it starts from now on. */
export function shareStack({ databaseUrl, temporalAddress, uiUrl }: StackAddresses, runFolder: string): void {
  if (uiUrl === undefined) throw new Error('A stack that tests share runs its own Temporal.');
  process.env[stackVariables.databaseUrl] = databaseUrl;
  process.env[stackVariables.temporalAddress] = temporalAddress;
  process.env[stackVariables.temporalUi] = uiUrl;
  process.env[stackVariables.runFolder] = runFolder;
}
