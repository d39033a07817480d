import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TcpProxy } from '../../support/tcp-proxy';
import type { Blow, FromWorker, Order, ToWorker } from './points';
import type { FaultWorkerOrders } from './worker-main';

/** Longer than every lease and timeout that notices it. */
const stoppedMs = 7_000;
/** A worker that was continued gets so long to do what it held before it ends, ms. */
const lastWordsMs = 2_500;
/** Of a log, characters: what a failing run shows of each worker. */
const logTailMax = 6_000;

/** The worker processes of one world: started, armed, killed, stopped and continued. */
export class Fleet {
  private readonly workers: FaultWorker[] = [];
  private readonly onStruck: ((worker: FaultWorker) => void)[] = [];
  private readonly resuming = new Set<Promise<void>>();
  private started = 0;

  constructor(private readonly orders: FaultWorkerOrders) {}

  /** Workers that run, those that are continued among them. */
  get awake(): readonly FaultWorker[] {
    return this.workers.filter((worker) => worker.state === 'awake');
  }

  /** No worker is stopped, or was a moment ago: nobody has a request in hand that is older than its limits. */
  get rested(): boolean {
    return this.resuming.size === 0;
  }

  /** One more worker; resolves when it polls. `otherwise`: its orders, where they are not the others'. */
  async start(otherwise: Partial<FaultWorkerOrders> = {}): Promise<FaultWorker> {
    this.started += 1;
    const log = join(this.orders.dataDir, `worker-${this.started}.log`);
    const worker = await FaultWorker.start({ ...this.orders, ...otherwise }, log, () => {
      this.arm(undefined);
      for (const tell of this.onStruck.splice(0)) tell(worker);
    });
    this.workers.push(worker);
    return worker;
  }

  /** The first worker that reaches the point is struck, and then no other; resolves with it. */
  order(order: Order): Promise<FaultWorker> {
    this.arm(order);
    return new Promise((resolve) => this.onStruck.push(resolve));
  }

  /** A stopped one too: it reads that before all else when it is continued, and may then take what the order is for. */
  private arm(order: Order | undefined): void {
    for (const worker of this.workers) worker.tell({ kind: 'arm', order });
  }

  /** Continues a stopped worker when its time is over, lets it finish what it held, and ends it. */
  resumeLater(worker: FaultWorker): void {
    const resuming = (async () => {
      await sleep(stoppedMs);
      worker.resume();
      await sleep(lastWordsMs);
      await worker.kill();
    })().finally(() => this.resuming.delete(resuming));
    this.resuming.add(resuming);
  }

  /** Resolves when every stopped worker was continued and has ended. */
  async untilRested(): Promise<void> {
    await Promise.all(this.resuming);
  }

  /** The newest words of each worker's log. */
  logs(): string {
    return this.workers.map((worker) => `── ${worker.log} (${worker.state})\n${worker.tail()}`).join('\n');
  }

  async close(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.kill()));
    await this.untilRested();
  }
}

/** One worker process, with a way to Temporal of its own. */
export class FaultWorker {
  state: 'awake' | 'stopped' | 'gone' = 'awake';
  readonly exited: Promise<unknown>;

  private constructor(
    readonly child: ChildProcess,
    readonly log: string,
    private readonly temporal: TcpProxy,
    onStruck: () => void,
  ) {
    this.exited = once(child, 'exit').then(() => {
      this.state = 'gone';
    });
    child.on('message', (message: FromWorker) => {
      if (message.kind === 'reached') this.reached(message.order, onStruck);
    });
    child.on('error', () => undefined); // a message to a process that is gone
  }

  static async start(orders: FaultWorkerOrders, log: string, onStruck: () => void): Promise<FaultWorker> {
    const temporal = await TcpProxy.to(orders.temporalAddress);
    const output = openSync(log, 'a');
    const told = { ...orders, temporalAddress: `127.0.0.1:${temporal.port}` };
    const child = fork(join(__dirname, 'worker-main.ts'), [JSON.stringify(told)], {
      execArgv: ['-r', join(__dirname, '../../support/register-swc.cjs')],
      stdio: ['ignore', output, output, 'ipc'],
    });
    closeSync(output);
    const worker = new FaultWorker(child, log, temporal, onStruck);
    await Promise.race([once(child, 'message'), worker.exited.then(() => diedEarly(worker))]);
    return worker;
  }

  tell(message: ToWorker): void {
    if (this.state !== 'gone' && this.child.connected) this.child.send(message, () => undefined);
  }

  /** SIGKILL; resolves when it is gone. */
  async kill(): Promise<void> {
    if (this.state !== 'gone') this.child.kill('SIGKILL');
    await this.exited;
    await this.temporal.down();
  }

  /** From outside, at whatever it does. */
  strike(blow: Blow): void {
    this.child.kill(blow === 'kill' ? 'SIGKILL' : 'SIGSTOP');
    if (blow === 'stop') this.state = 'stopped';
  }

  resume(): void {
    this.temporal.speak();
    this.child.kill('SIGCONT');
    if (this.state === 'stopped') this.state = 'awake';
  }

  tail(): string {
    return readFileSync(this.log, 'utf8').slice(-logTailMax);
  }

  private reached(order: Order, onStruck: () => void): void {
    if (order.point === 'before_completion') {
      this.temporal.hush();
      this.tell({ kind: 'go' });
    }
    if (order.blow === 'stop') this.state = 'stopped';
    onStruck();
  }
}

function diedEarly({ log }: FaultWorker): never {
  throw new Error(`A worker ended before it polled: ${readFileSync(log, 'utf8').slice(-logTailMax)}`);
}
