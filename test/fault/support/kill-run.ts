import { setTimeout as sleep } from 'node:timers/promises';
import { type AttemptRef, taskOf } from '../../../src/protocol/ids';
import { brokenInvariants } from '../../support/ledger-invariants';
import { compareBooks } from './compare-books';
import { dossier } from './dossier';
import type { FaultWorld } from './fault-world';
import type { FaultWorker } from './fleet';
import { hirePeople } from './people';
import type { Round } from './plan';
import { pointWords } from './points';
import { placesOf, untilAllWentOn, untilWentOn } from './progress';
import { shopOperation } from './shop-operation';
import { type ShopToolKind, shopToolName } from './shop-tools';
import { burstName, burstOperation, burstTools } from './transcript';

export interface Blow {
  readonly round: Round;
  /** From the blow to the attempt's next answer in the ledger, ms. */
  readonly wentOnMs: number;
}
export interface KillRun {
  readonly blows: readonly Blow[];
  /** What is wrong at the end, in words: between ledger and shop, in the ledger, and attempts that did not complete. */
  readonly wrong: readonly string[];
  /** Words of people on what became of a write. */
  readonly told: number;
}

/** A healthy machine reaches a point, or an end, in a second, and an overloaded one in many, ms. */
const reachMaxMs = 60_000;

/**
 * Deals one blow after the other to the workers of a world, and looks at the books when all attempts have ended. Rejects with
 * the blow, the attempt and the logs of both sides where something does not go on.
 */
export async function killRun(
  world: FaultWorld,
  rounds: readonly Round[],
  tell: (blow: Blow) => void,
): Promise<KillRun> {
  const run = new Run(world);
  const people = hirePeople(world);
  const blows: Blow[] = [];
  try {
    await world.fleet.start();
    for (const round of rounds) {
      const blow = await run.deal(round);
      blows.push(blow);
      tell(blow);
    }
    return { blows, ...(await run.close()) };
  } finally {
    await people.dismiss();
  }
}

class Run {
  private readonly refs: AttemptRef[] = [];
  private readonly operations: string[] = [];
  private readonly dealt = new Map<string, Round>();

  constructor(private readonly world: FaultWorld) {}

  async deal(round: Round): Promise<Blow> {
    const task = `k${round.number}`;
    this.dealt.set(task, round);
    const { point, tool, blow, bystanders, fault } = round;
    let ref: AttemptRef | undefined;
    try {
      if (fault) await this.arm(fault, tool, task);
      const reached = point === 'at_random' ? undefined : this.world.fleet.order({ point, task, blow });
      const [target] = await Promise.all([
        this.start(task, tool, point === 'in_burst'),
        ...bystanders.map((by, at) => this.start(`${task}-by${at}`, by, false)),
      ]);
      ref = target;
      const struck = reached ? await inTime(reached, 'a worker gets to the point') : await this.strikeLater(round);
      return { round, wentOnMs: await this.goOn(target, struck, blow) };
    } catch (error) {
      const known = ref ? await this.tell(ref) : inWords(round);
      throw new Error(`${known}\n${String(error)}\n${this.world.fleet.logs()}`);
    }
  }

  /** Waits until every attempt has ended, and compares the books. */
  async close(): Promise<Omit<KillRun, 'blows'>> {
    await this.world.fleet.untilRested();
    const wrong: string[] = [];
    for (const ref of this.refs) {
      const { state, reason } = await inTime(this.world.result(ref), `${ref.id} ends`).catch((error: unknown) => ({
        state: 'nothing',
        reason: String(error),
      }));
      if (state !== 'COMPLETED') wrong.push(`${ref.id} ended as ${state} (${reason})\n${await this.tell(ref)}`);
    }
    const { rows } = await this.world.pool.query("select 1 from effect_evidence where kind = 'person'");
    const findings = await brokenInvariants(this.world.pool);
    wrong.push(...findings.map((finding) => JSON.stringify(finding)));
    for (const { operation, what } of await compareBooks(this.world, this.operations)) {
      const ref =
        this.refs.find(({ id }) => operation === taskOf(id)) ??
        this.refs.find(({ id }) => operation.startsWith(`${taskOf(id)}-`));
      wrong.push(ref ? `${what}\n${await this.tell(ref)}` : what);
    }
    if (wrong.length > 0) wrong.push(this.world.fleet.logs());
    return { wrong, told: rows.length };
  }

  /** The blow that an attempt was there for, and what both sides know of it. */
  private async tell(ref: AttemptRef): Promise<string> {
    const [task = ''] = taskOf(ref.id).split('-');
    const round = this.dealt.get(task);
    return `${round ? inWords(round) : ''}, attempt ${ref.id}\n${await dossier(this.world, ref)}`;
  }

  private async arm(fault: NonNullable<Round['fault']>, { effect }: ShopToolKind, task: string): Promise<void> {
    const { operation, named } = shopOperation[effect];
    await this.world.shop.ask('POST', '/faults', { ...fault, operation, where: { [named]: task } });
  }

  private async start(task: string, tool: ShopToolKind, burst: boolean): Promise<AttemptRef> {
    const operations = burst ? burstTools(tool.effect).map((_, index) => burstOperation(task, index)) : [task];
    const name = burst ? burstName(tool.effect) : shopToolName(tool);
    this.operations.push(...operations);
    const ref = await this.world.ask(task, name, { lane: burst ? 'local' : tool.lane, operations });
    this.refs.push(ref);
    return ref;
  }

  private async strikeLater({ delayMs, blow }: Round): Promise<FaultWorker> {
    await sleep(delayMs);
    const [worker] = this.world.fleet.awake;
    if (!worker) throw new Error('No worker is there to be struck.');
    worker.strike(blow);
    return worker;
  }

  /** A new worker comes at once, as a supervisor starts one; ms until the attempt has gone on. */
  private async goOn(ref: AttemptRef, struck: FaultWorker, blow: Round['blow']): Promise<number> {
    const { fleet } = this.world;
    const at = performance.now();
    if (blow === 'stop') fleet.resumeLater(struck);
    else await struck.kill();
    const before = await placesOf(this.world);
    const starting = fleet.start();
    await untilWentOn(this.world, ref, before);
    const tookMs = performance.now() - at;
    await starting;
    await untilAllWentOn(this.world, before);
    return tookMs;
  }
}

function inWords({ number, point, blow, tool, fault }: Round): string {
  return `blow ${number}: ${blow} ${pointWords[point]}, ${shopToolName(tool)}, fault ${JSON.stringify(fault)}`;
}

async function inTime<T>(awaited: Promise<T>, what: string): Promise<T> {
  const giveUp = new AbortController();
  const late = sleep(reachMaxMs, undefined, { signal: giveUp.signal }).then(() => {
    throw new Error(`It did not come to this: ${what}.`);
  });
  try {
    return await Promise.race([awaited, late]);
  } finally {
    giveUp.abort();
    late.catch(() => undefined);
  }
}
