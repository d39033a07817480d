/**
 * Reads of the effect log in one transaction of one attempt.
 *
 *   I1  Locks come in one order in every transaction: the attempt's row, the operation, the target, the key, the count of a tool's calls,
 *       the cost of the tenant. A transaction takes one target and one key at most. So no two wait for each other.
 *   I2  A lock comes in a statement before the read, which therefore sees what the last holder committed.
 *   I3  Rows of effects are not locked; whoever writes one says what it was read as, and a row that another transaction
 *       changed in between fails the write (EffectWrites).
 */
import type { PoolClient } from 'pg';
import type { EffectScene, OperationAsk, OwnEffect, SceneAsk } from '../../activities/ledger-port';
import type { Effect, EffectRef } from '../../domain/effect/effect';
import type { SentTry } from '../../domain/effect/outcome';
import { textParam } from '../json';
import { isKin } from '../kin';
import { together } from '../together';
import { type EffectColumns, effectColumns, effectOfRow, ownerLive } from './effect-row';
import { bindsPhase, isUnsettledPhase } from './phases';

/** Advisory locks have two numbers: these name what the second is a hash of. */
export const lockClasses = { target: 1, key: 2, calls: 3, cost: 4, operation: 5, children: 6, repairs: 7 } as const;
export const lockQuery = 'select pg_advisory_xact_lock($1, hashtext($2))';

const rowsQuery = (picked: string) =>
  `with f as (${picked}) select f.role, ${effectColumns} from f join attempts o on o.key = f.attempt`;
const newestOwn = `select 'own' as role, * from effects where attempt = $1 and step = $2 and index = $3
  order by claimed_at desc, generation desc limit 1`;
const sceneQuery = rowsQuery(`
  (${newestOwn})
  union all (select 'newest', * from effects where tenant = $4 and key = $5 order by generation desc limit 1)
  union all (select 'blocker', * from effects f where tenant = $4 and hashtext(target) = hashtext($6) and target = $6 and key <> $5
    and phase in ${isUnsettledPhase} and (phase <> 'CLAIMED' or ${ownerLive}) order by sent_at limit 1)`);
const ownQuery = rowsQuery(newestOwn);
const allOwnQuery = `select ${effectColumns} from effects f join attempts o on o.key = f.attempt where f.attempt = $1
  order by f.claimed_at, f.step, f.index, f.generation`;
const oneQuery = `select ${effectColumns} from effects f join attempts o on o.key = f.attempt
  where f.tenant = $1 and f.key = $2 and f.generation = $3`;
const waitedQuery = `select ${effectColumns} from effect_waits v
    join effects f on f.tenant = v.tenant and f.key = v.key and f.generation = v.generation
    join attempts o on o.key = f.attempt
  where v.attempt = $1`;
// All sends of an action are of the newest generation that it owned: after a send it stays in its generation (E1).
const sendsQuery = `select try, execution, coalesce(proven, false) as proven, opened_at as at from tool_tries
  where attempt = $1 and step = $2 and index = $3 and sent order by try, execution`;

// A row that is not of a kin is this attempt's own, and answers where its action asks. What was claimed is waited for while
// somebody works on it, and taken over with its key otherwise, so that its owner does not send it as well (E2). What was undone is
// free to be done again.
const kinKeyQuery = `
  with own as (select key, phase = 'NOT_COMMITTED' and sent_at is null as released from effects
      where attempt = $1 and step = $2 and index = $3 order by claimed_at desc, generation desc limit 1),
    known as (select f.key, row_number() over (order by f.attempt, f.step, f.index) as nth
      from attempts a join attempts b on ${isKin} join effects f on f.attempt = b.key
      where a.key = $1 and f.tool = $4 and f.args_hash = decode($5, 'hex') and f.phase in ${bindsPhase}
        and f.key not in (select reused from tool_tries where attempt = $1 and reused is not null))
  select key from (select key, 0 as place, 0 as nth from own where not released
    union all select key, 1, nth from known
    union all select key, 2, 0 from own where released) k
  order by place, nth limit 1`;

interface Place {
  readonly tenant: string;
  readonly task: string;
  /** Key of the attempt. */
  readonly attempt: number;
}

export class EffectReads {
  private scene: SceneAsk | undefined;
  private countLocked = false;

  constructor(
    private readonly client: PoolClient,
    private readonly place: Place,
    /** Told of each effect that was read. */
    private readonly onRead: (effect: Effect) => void,
  ) {}

  /** One round trip. The n-th call for an operation finds the n-th that kin made of it, for it asks for one more each time. */
  async kinKey({ tool, argsHash }: OperationAsk, step: number, index: number): Promise<string | undefined> {
    if (this.scene || this.countLocked) throw new Error('Kin were asked after an effect was looked at.');
    const { attempt, task } = this.place;
    const [, [row]] = await together(this.client, () =>
      Promise.all([
        this.lock('operation', `${task}/${tool}/${argsHash}`),
        this.query<{ key: string }>('kin-key', kinKeyQuery, [attempt, step, index, textParam(tool), argsHash]),
      ]),
    );
    return row?.key;
  }

  /** One round trip. */
  async effectScene(ask: SceneAsk): Promise<EffectScene> {
    const { tenant, attempt } = this.place;
    this.keepOrder(ask);
    const { step, index } = ask;
    const [key, target] = [textParam(ask.key), textParam(ask.target)];
    const [, , read, sends] = await together(this.client, () =>
      Promise.all([
        this.lock('target', target),
        this.lock('key', key),
        this.query<EffectColumns & { role: string }>('scene', sceneQuery, [attempt, step, index, tenant, key, target]),
        this.query<SentTry>('sends', sendsQuery, [attempt, step, index]),
      ]),
    );
    const of = (role: string) => read.filter((row) => row.role === role).map((row) => this.seen(row))[0];
    const own = of('own');
    return { own, newest: of('newest'), blocker: of('blocker'), sends: own ? sends : [] };
  }

  async effectOf(step: number, index: number): Promise<OwnEffect | undefined> {
    const values = [this.place.attempt, step, index];
    const [[row], sends] = await together(this.client, () =>
      Promise.all([
        this.query<EffectColumns>('own-effect', ownQuery, values),
        this.query<SentTry>('sends', sendsQuery, values),
      ]),
    );
    return row && { effect: this.seen(row), sends };
  }

  async ownEffects(): Promise<readonly Effect[]> {
    const rows = await this.query<EffectColumns>('own-effects', allOwnQuery, [this.place.attempt]);
    return rows.map((row) => this.seen(row));
  }

  async effect({ key, generation }: EffectRef): Promise<Effect | undefined> {
    const [row] = await this.query<EffectColumns>('effect', oneQuery, [this.place.tenant, textParam(key), generation]);
    return row && this.seen(row);
  }

  async waitedEffect(): Promise<Effect | undefined> {
    const [row] = await this.query<EffectColumns>('waited-effect', waitedQuery, [this.place.attempt]);
    return row && this.seen(row);
  }

  async callsWithin(tool: string, withinMs: number): Promise<number> {
    this.countLocked = true;
    const [, [row]] = await together(this.client, () =>
      Promise.all([
        this.lock('calls', tool),
        this.query<{ calls: number }>('calls-within', callsQuery, [this.place.tenant, tool, withinMs]),
      ]),
    );
    return row?.calls ?? 0;
  }

  /** I1 */
  private keepOrder(ask: SceneAsk): void {
    const { scene } = this;
    if (this.countLocked) throw new Error('The calls of a tool were counted before its effect was looked at.');
    if (scene && (scene.key !== ask.key || scene.target !== ask.target))
      throw new Error('A transaction looks at one target and one key.');
    this.scene = ask;
  }

  private lock(what: keyof typeof lockClasses, of: string): Promise<unknown> {
    return this.query('effect-lock', lockQuery, [lockClasses[what], `${this.place.tenant}/${of}`]);
  }

  private seen(row: EffectColumns): Effect {
    const effect = effectOfRow(row);
    this.onRead(effect);
    return effect;
  }

  private async query<R extends object>(name: string, text: string, values: unknown[]): Promise<R[]> {
    return (await this.client.query<R>({ name, text, values })).rows;
  }
}

// `statement_timestamp` lets the index be used, which `clock_timestamp` does not. What was refused, or answered from the ledger, never ran.
const callsQuery = `select count(*)::int as calls from tool_tries t
    join actions c on c.attempt = t.attempt and c.step = t.step and c.index = t.index
    join attempts a on a.key = t.attempt
  where t.opened_at > statement_timestamp() - $3 * interval '1 ms' and c.tool = $2 and a.tenant = $1
    and t.outcome is distinct from 'not_run'`;
