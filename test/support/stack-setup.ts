import { shareStack } from './share-stack';
import { sharedStack } from './shared-stack';

/**
 * jest's globalSetup of the projects that need servers. jest's own process owns the stack, so that the kernel ends the
 * servers even where jest is killed (Linux), and its workers find the addresses in their environment.
 */
export default async function setup(): Promise<void> {
  const { stack, dataDir } = await sharedStack();
  shareStack(stack, dataDir);
}
