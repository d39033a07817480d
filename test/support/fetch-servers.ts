/**
 * Brings the programs that tests start onto this machine, so that a network that has none of them is told as that:
 * `node -r ./test/support/register-swc.cjs test/support/fetch-servers.ts`.
 */
import { configOfProcess } from '../../src/config';
import { findTemporalCli } from '../../src/embedded/programs/find-program';
import { timeSkippingServerPath } from './stack';

async function main(): Promise<void> {
  const onProgress = (text: string) => process.stderr.write(`${text}\n`);
  const { path } = await findTemporalCli({ ...configOfProcess().embedded, onProgress });
  process.stdout.write(`${path}\n${await timeSkippingServerPath()}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
