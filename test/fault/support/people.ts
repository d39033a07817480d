import { setTimeout as sleep } from 'node:timers/promises';
import { type EffectClass, idempotencyKey } from '../../../src/domain/effect/effect';
import { type AttemptRef, actionId } from '../../../src/protocol/ids';
import { leaseMs } from '../../../src/protocol/lease';
import type { FaultWorld } from './fault-world';
import { keyOf } from './journal';
import { shopTimeoutMs } from './shop-tools';

/** How often somebody looks at what waits for a person, ms. */
const lookMs = 250;
/** E6: before that, nobody is believed that something did not happen, ms. */
const truthAfterMs = shopTimeoutMs + leaseMs;
/** The ledger may have refused a word for its time; it is said again after this, ms. */
const againAfterMs = 1_500;

interface Waiting {
  tenant: string;
  id: string;
  key: number;
  step: number;
  index: number;
}
interface UnknownEffect extends Waiting {
  class: EffectClass;
  effect: string;
  generation: number;
  ageMs: number;
}

/**
 * The people whom attempts wait for. They allow what they are asked to allow. Where nobody can tell what became of a write,
 * they look at the shop's journal and say what is there. That something did not happen they say only when no worker is
 * stopped: a process that wakes up with a request in its hand is what docs/guarantees.md excludes.
 */
export function hirePeople(world: FaultWorld): { dismiss(): Promise<void> } {
  const said = new Map<string, number>();
  let dismissed = false;
  const work = (async () => {
    for (; !dismissed; await sleep(lookMs)) {
      for (const asked of await openApprovals(world)) await approve(world, said, asked);
      for (const unknown of await unknownEffects(world)) await reconcile(world, said, unknown);
    }
  })();
  work.catch(() => undefined); // whoever dismisses them hears of it
  return {
    async dismiss() {
      dismissed = true;
      await work;
    },
  };
}

async function approve(world: FaultWorld, said: Map<string, number>, asked: Waiting & { ordinal: number }) {
  const { ref, action } = named(asked);
  if (!isTime(said, `${action} ${asked.ordinal}`)) return;
  await world.send(ref, { kind: 'approve', body: { actionId: action, by: 'ana' } });
}

async function reconcile(world: FaultWorld, said: Map<string, number>, unknown: UnknownEffect): Promise<void> {
  const { ref, action } = named(unknown);
  const key = idempotencyKey(unknown.tenant, { key: unknown.effect, generation: unknown.generation });
  const line = world.shop.lines().find((done) => keyOf(done) === key);
  // What the other side can be asked about is left to the runtime, which finds it.
  if (line && unknown.class === 'probed') return;
  if (!line && (unknown.ageMs < truthAfterMs || !world.fleet.rested)) return;
  if (!isTime(said, key)) return;
  const outcome = line ? 'committed' : 'not_committed';
  const evidence = line ? `Line ${line.seq} of the shop's journal.` : "The shop's journal has no line of this key.";
  await world.send(ref, { kind: 'reconcile', body: { actionId: action, outcome, by: 'ana', evidence } });
}

function isTime(said: Map<string, number>, what: string): boolean {
  if (performance.now() - (said.get(what) ?? Number.NEGATIVE_INFINITY) < againAfterMs) return false;
  said.set(what, performance.now());
  return true;
}

function named({ tenant, id, key, step, index }: Waiting): { ref: AttemptRef; action: string } {
  return { ref: { tenant, id, key }, action: actionId(id, step, index) };
}

const attemptColumns = `a.tenant, a.task || '/' || a.number as id, a.key`;

async function openApprovals({ pool }: FaultWorld): Promise<(Waiting & { ordinal: number })[]> {
  const { rows } = await pool.query(
    `select ${attemptColumns}, p.step, p.index, p.ordinal from approvals p join attempts a on a.key = p.attempt
     where p.state = 'open' and a.state = 'WAITING_FOR_APPROVAL'`,
  );
  return rows;
}

async function unknownEffects({ pool }: FaultWorld): Promise<UnknownEffect[]> {
  const { rows } = await pool.query(
    `select ${attemptColumns}, e.step, e.index, e.class, e.key as effect, e.generation,
       extract(epoch from clock_timestamp() - e.sent_at)::float * 1000 as "ageMs"
     from effects e join attempts a on a.key = e.attempt
     where e.phase = 'UNKNOWN' and e.class in ('probed', 'unsafe') and a.state in ('RECONCILING', 'CANCELLING')`,
  );
  return rows;
}
