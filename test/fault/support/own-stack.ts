import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { startStack } from '../../../src/embedded/stack';
import { readStackState } from '../../../src/embedded/state-file';
import { until } from '../../support/gate';
import { shareStack } from '../../support/share-stack';
import { tempFolder } from '../../support/temp-folder';

/** Servers of this test file alone, for a test that ends them. Worlds that are opened after this use them. */
export interface OwnStack {
  /** SIGKILL of the Temporal server; resolves when its successor serves on the same port. `away` runs in between. */
  restartTemporal(away: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

/** Long enough for the kernel to have ended a killed server, ms. */
const deadAfterMs = 50;

export async function ownStack(): Promise<OwnStack> {
  const dataDir = tempFolder('holdfast-own-stack-');
  const stack = await startStack({ dataDir });
  shareStack(stack, dataDir);
  const pid = async () => (await readStackState(dataDir))?.temporal?.process.pid;
  return {
    async restartTemporal(away) {
      const before = await pid();
      if (before === undefined) throw new Error('The stack has a Temporal of its own.');
      process.kill(before, 'SIGKILL');
      await sleep(deadAfterMs);
      await away();
      await until(async () => (await pid()) !== before && (await serves(stack.temporalAddress)), 'Temporal is back');
    },
    stop: () => stack.stop(),
  };
}

async function serves(address: string): Promise<boolean> {
  try {
    const connection = await Connection.connect({ address, connectTimeout: '1s' });
    await connection.close();
    return true;
  } catch {
    return false;
  }
}
