import { join } from 'node:path';
import { z } from 'zod';
import { endLeftovers } from '../../embedded/process/end-leftovers';
import { freePort } from '../../embedded/process/free-port';
import type { StopSteps } from '../../embedded/process/managed-process';
import { spawnServer } from '../../embedded/process/spawn-server';
import { startOnFreePort } from '../../embedded/process/start-on-free-port';
import { waitUntilReady } from '../../embedded/process/wait-until-ready';
import { refundExample } from './refund-example';

/** It starts in a tenth of a second; a busy machine takes longer. */
const readyTimeoutMs = 20_000;
/** Each line of its journal is on disk before it is told, so an orderly end is worth only this much. */
const stopSteps: StopSteps = [{ signal: 'SIGTERM', graceMs: 2_000 }];
/** The shop answers from memory. */
const requestTimeoutMs = 10_000;

/** One committed operation, as the shop's own journal has it. */
export type ShopLine = z.output<typeof line>;
const line = z.object({
  seq: z.number(),
  at: z.string(),
  operation: z.string(),
  key: z.string().optional(),
  args: z.record(z.string(), z.unknown()),
});
const log = z.object({ lines: z.array(line) });

/** The outside system of the demo: a process of its own, with a journal of its own that later demos go on with. */
export interface DemoShop {
  readonly url: string;
  /** Operations after a sequence, in order. */
  log(after: number): Promise<readonly ShopLine[]>;
  /** Opens an order that was paid; the same again changes nothing. */
  openOrder(orderId: string, order: object): Promise<void>;
  /** The next such operation on the order is committed, and its answer is lost. */
  loseOneAnswer(operation: string, orderId: string): Promise<void>;
  /** Ends it. Can be called again. */
  stop(): Promise<void>;
}

/** Starts it, after what a killed demo left. Rejects where it does not come up. */
export async function startDemoShop(dataDir: string): Promise<DemoShop> {
  const data = join(dataDir, 'demo', 'shop');
  const named = [refundExample.shopProgram, '--data', data];
  await endLeftovers(named, stopSteps);
  const logFile = join(dataDir, 'logs', 'shop.log');
  const { url, server } = await startOnFreePort(async () => {
    const port = await freePort();
    const started = await spawnServer({
      command: process.execPath,
      args: [...named, '--port', String(port)],
      env: {},
      cwd: dataDir,
      logFile,
      stopSteps,
    });
    const at = `http://127.0.0.1:${port}`;
    await waitUntilReady(started, { name: 'The shop', logFile, limitMs: readyTimeoutMs }, async () => {
      await request(at, 'GET', '/log');
    });
    return { url: at, server: started };
  });
  return {
    url,
    log: async (after) => log.parse(await request(url, 'GET', `/log?after=${after}`)).lines,
    openOrder: async (orderId, order) => {
      await request(url, 'PUT', `/orders/${encodeURIComponent(orderId)}`, order);
    },
    loseOneAnswer: async (operation, orderId) => {
      await request(url, 'POST', '/faults', { fault: 'commit_then_drop', operation, where: { orderId } });
    },
    stop: () => server.stop(),
  };
}

async function request(url: string, method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(new URL(path, url), {
    method,
    signal: AbortSignal.timeout(requestTimeoutMs),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json();
  if (!response.ok)
    throw new Error(`The shop answered ${method} ${path} with ${response.status}: ${JSON.stringify(answer)}`);
  return answer;
}
