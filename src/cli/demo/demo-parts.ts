import { readFileSync } from 'node:fs';
import type { Config } from '../../config';
import { parseTranscript } from '../../models/scripted/parse-transcript';
import { startScriptedModel } from '../../models/scripted/scripted-model';
import type { CommonOptions } from '../common-options';
import { demoConfig } from './demo-config';
import { type DemoShop, startDemoShop } from './demo-shop';
import { nextRefund, type RefundStory } from './next-refund';
import { type RepairFolder, repairFolder } from './repair-folder';

/** What the demo's two tasks run on, beside the installation. */
export interface DemoParts {
  /** What the worker is started with. */
  readonly config: Config;
  readonly repair: RepairFolder;
  readonly refund: RefundStory;
  readonly shop: DemoShop;
}

/**
 * Starts the shop, and the scripted model where no model is configured. Only for the holder of the stack's lock: what an
 * earlier demo left of the shop is ended. How to stop each is added to `stops` as soon as it runs, in the order started.
 */
export async function startDemoParts(
  asked: Config,
  options: CommonOptions,
  stops: (() => Promise<void>)[],
): Promise<DemoParts> {
  const repair = await repairFolder(asked.dataDir);
  const shop = await startDemoShop(asked.dataDir);
  stops.push(() => shop.stop());
  const refund = await nextRefund(asked.dataDir, shop);
  const scripted = isScripted(asked) ? await startDemoModel(repair, refund) : undefined;
  if (scripted !== undefined) stops.push(() => scripted.stop());
  const services = { shopUrl: shop.url, ...(scripted !== undefined && { scriptedModelUrl: scripted.url }) };
  return { config: demoConfig(asked, options, services), repair, refund, shop };
}

export function isScripted({ models }: Config): boolean {
  return Object.keys(models).length === 0;
}

/** One model for both tasks. */
function startDemoModel(repair: RepairFolder, refund: RefundStory) {
  const repairs = parseTranscript(repair.transcript, readFileSync(repair.transcript, 'utf8'));
  return startScriptedModel({ transcript: { ...refund.transcript, ...repairs } });
}
