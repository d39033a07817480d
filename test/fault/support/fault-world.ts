import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelConfig } from '../../../src/models/models-config';
import type { Transcript } from '../../../src/models/scripted/transcript-schema';
import type { AttemptRef } from '../../../src/protocol/ids';
import { type ShopProcess, startShop } from '../../examples/refund/support/shop';
import { type AttemptWorld, attemptWorld } from '../../support/attempt-world';
import { tempFolder } from '../../support/temp-folder';
import { workflowBundleFile } from '../../support/workflow-bundle';
import { Fleet } from './fleet';
import { shopToolKinds, shopToolName } from './shop-tools';
import { askFor, faultTranscript } from './transcript';

/** Real servers, a real shop, and worker processes that can be struck. */
export interface FaultWorld
  extends Pick<AttemptWorld, 'pool' | 'client' | 'model' | 'send' | 'result' | 'until' | 'stopped' | 'events'> {
  readonly shop: ShopProcess;
  readonly fleet: Fleet;
  /** Of its workers' one model. */
  readonly modelConfig: ModelConfig;
  /** Opens an order at the shop for each operation, and starts an attempt that asks for a tool, or for a burst. */
  ask(
    task: string,
    name: string,
    how: { lane: 'local' | 'regular'; operations: readonly string[] },
  ): Promise<AttemptRef>;
  /** Keys of the requests that sends made, in order, from every worker. */
  sends(): readonly string[];
  close(): Promise<void>;
}

/** So many tokens and calls that no limit of an attempt is met. */
const limits = { maxTokens: 10_000_000, maxToolCalls: 1_000, maxSameToolErrors: 50, maxRuntimeMs: 3_600_000 };
/** Euros that each order was paid with; a refund is less. */
const paid = 100;

export async function faultWorld({
  asks = [],
  transcript = faultTranscript,
}: {
  /** Tools that a person must allow. */
  asks?: readonly string[];
  transcript?: Transcript;
} = {}): Promise<FaultWorld> {
  const [world, shop] = await Promise.all([attemptWorld({ transcript }), startShop()]);
  const dataDir = tempFolder('holdfast-fault-');
  const sends = join(dataDir, 'sends');
  const timeoutMs = 10_000;
  const config = modelConfig(world.model.url, timeoutMs);
  const fleet = new Fleet({
    ...world.ways,
    model: config,
    bundle: await workflowBundleFile(),
    dataDir,
    shopUrl: shop.url,
    sends,
    asks,
  });
  return {
    ...world,
    shop,
    fleet,
    modelConfig: config,
    async ask(task, name, { lane, operations }) {
      for (const op of operations)
        await shop.ask('PUT', `/orders/${op}`, { customer: 'Ada', email: 'ada@shop.invalid', paid });
      return world.start({
        task,
        input: askFor(name),
        contract: { tools: shopToolKinds.map(shopToolName) },
        limits,
        snapshot: { models: [{ name: 'scripted', quick: lane === 'local', timeoutMs }] },
      });
    },
    sends: () => (existsSync(sends) ? readFileSync(sends, 'utf8').trimEnd().split('\n') : []),
    async close() {
      await fleet.close();
      await world.close();
      await shop.kill();
    },
  };
}

function modelConfig(baseUrl: string, timeoutMs: number): ModelConfig {
  return {
    provider: 'openai-compatible',
    model: 'scripted',
    baseUrl,
    contextTokens: 64_000,
    maxOutputTokens: 1_000,
    timeoutMs,
    quick: true,
    headers: { 'X-Step': '{attempt}/{step}' },
  };
}
