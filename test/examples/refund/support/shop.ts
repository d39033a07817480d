import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { tempFolder } from '../../../support/temp-folder';

const program = join(__dirname, '../../../../examples/refund/shop.mjs');

/** One committed operation, as the shop's journal has it. */
export interface JournalLine {
  readonly seq: number;
  readonly at: string;
  readonly operation: string;
  readonly key?: string;
  readonly args: Readonly<Record<string, unknown>>;
}
export interface ShopAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>> & { readonly error?: Readonly<Record<string, unknown>> };
}
interface Asked {
  readonly key?: string;
  /** `commit_then_drop` and the like, with `;ms=50` where it waits. */
  readonly fault?: string;
}

/** The shop as a process of its own. It ends with the test process, however that ends. */
export interface ShopProcess {
  readonly url: string;
  readonly port: number;
  readonly journal: string;
  readonly child: ChildProcess;
  /** Rejects where the connection ends without an answer. */
  ask(method: string, path: string, body?: object, asked?: Asked): Promise<ShopAnswer>;
  /** The journal as it is on disk, without what was there before anybody came. */
  lines(operation?: string): readonly JournalLine[];
  kill(): Promise<void>;
}

export async function startShop(at: { data?: string; port?: number } = {}): Promise<ShopProcess> {
  const data = at.data ?? tempFolder('holdfast-shop-');
  const child = spawn(
    process.execPath,
    [program, '--port', String(at.port ?? 0), '--data', data, '--until-stdin-ends'],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  );
  const ended = once(child, 'close');
  let complaints = '';
  child.stderr.on('data', (part) => (complaints += part));
  const first = await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
  const [, url, journal] = String(first[0]).match(/^shop (\S+) journal (.+)$/) ?? [];
  if (url === undefined || journal === undefined) throw new Error(`The shop did not start: ${complaints}`);

  return {
    url,
    port: Number(new URL(url).port),
    journal,
    child,
    async ask(method, path, body, { key, fault } = {}) {
      const response = await fetch(new URL(path, url), {
        method,
        headers: {
          ...(key !== undefined && { 'idempotency-key': key }),
          ...(fault !== undefined && { 'x-shop-fault': fault }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: JSON.parse(await response.text()) };
    },
    lines: (operation) => journalOf(journal).filter((line) => line.operation === (operation ?? line.operation)),
    async kill() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await ended;
      }
    },
  };
}

function journalOf(path: string): JournalLine[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): JournalLine => JSON.parse(line))
    .filter(({ operation }) => operation !== 'open_order');
}
