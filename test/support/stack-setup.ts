import { sharedStack } from './shared-stack';
import { stackVariables } from './stack-variables';

/**
 * jest's globalSetup of the projects that need servers. jest's own process owns the stack, so that the kernel ends the
 * servers even where jest is killed (Linux), and its workers find the addresses in their environment.
 */
export default async function setup(): Promise<void> {
  const { stack } = await sharedStack();
  process.env[stackVariables.databaseUrl] = stack.databaseUrl;
  process.env[stackVariables.temporalAddress] = stack.temporalAddress;
  process.env[stackVariables.temporalUi] = stack.uiUrl;
}
