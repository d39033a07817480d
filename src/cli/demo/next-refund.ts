import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseTranscript } from '../../models/scripted/parse-transcript';
import type { Transcript } from '../../models/scripted/transcript-schema';
import type { DemoShop, ShopLine } from './demo-shop';
import { refundExample } from './refund-example';

/** The order that the example's files speak of. It is left to whoever runs the example on the same data folder. */
const writtenOrder = '1042';
/** The demo's own orders are `demo-1`, `demo-2` …, and so are its tasks and keys. */
const prefix = 'demo-';
const paid = { customer: 'Ada Brandt', email: 'ada.brandt@shop.invalid', paid: 120 };

/** What one demo refunds: an order that no earlier demo has, since one operation on an order is done once. */
export interface RefundStory {
  readonly orderId: string;
  readonly task: string;
  readonly transcript: Transcript;
}

/** The example's files, about the next order, which is opened in the shop. Only the task file is written. */
export async function nextRefund(dataDir: string, shop: DemoShop): Promise<RefundStory> {
  const orderId = orderAfter(await shop.log(0));
  await shop.openOrder(orderId, paid);

  const about = (file: string) =>
    readFileSync(join(refundExample.folder, file), 'utf8').replaceAll(writtenOrder, orderId);
  const demoFolder = join(dataDir, 'demo', 'refund');
  mkdirSync(demoFolder, { recursive: true });
  const task = join(demoFolder, 'task.yaml');
  writeFileSync(task, about('task.yaml'));
  return { orderId, task, transcript: parseTranscript('transcript.yaml', about('transcript.yaml')) };
}

/** An order whose refund was not made is taken again. */
function orderAfter(lines: readonly ShopLine[]): string {
  const orders = lines
    .filter(({ operation }) => operation === 'create_refund')
    .map(({ args }) => String(args['orderId']))
    .filter((orderId) => orderId.startsWith(prefix));
  return `${prefix}${new Set(orders).size + 1}`;
}
