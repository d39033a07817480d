import { findSandbox, type SandboxChoice } from './sandbox/sandbox';

/** What the commands of attempts run in here, in words that are equal where it is the same (R12.1). */
export async function environmentVersion(choice: SandboxChoice): Promise<string> {
  const { kind } = await findSandbox(choice);
  return `${process.platform}-${process.arch}, node ${process.versions.node}, sandbox ${kind}`;
}
