import type { ProbeResult, SendResult } from '../../../src/activities/ports';
import type { EffectClass } from '../../../src/domain/effect/effect';
import { elsewhere, type Owner, type Scheduler } from '../engine/scheduler';

/** What the other side does with one request (faults of a shop). */
export type Behaviour =
  | 'answers'
  /** Says no, and does nothing. */
  | 'refuses'
  /** Does it; the connection breaks before the answer. */
  | 'commits and drops'
  /** Does it and never answers. */
  | 'commits and hangs'
  /** The request is lost on the way. */
  | 'loses'
  /** The request is lost, and nobody says so. */
  | 'loses and hangs'
  /** The request arrives late, perhaps after everybody has given up. */
  | 'is slow';
export const behaviours: readonly Behaviour[] = [
  'answers',
  'refuses',
  'commits and drops',
  'commits and hangs',
  'loses',
  'loses and hangs',
  'is slow',
];

export interface Request {
  readonly number: number;
  readonly tool: string;
  readonly effectClass: EffectClass;
  readonly key: string;
  /** What the business would call twice the same. */
  readonly operation: string;
  readonly target: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly atMs: number;
  fate: 'under way' | 'applied' | 'repeated' | 'refused' | 'lost';
}

/** What the other side does with a question about what is there. */
export type LookBehaviour = 'answers' | 'fails' | 'hangs' | 'is slow';
export const lookBehaviours: readonly LookBehaviour[] = ['answers', 'fails', 'hangs', 'is slow'];

/** Slow requests take so long at most, ms: longer than a tool waits. */
const slowMaxMs = 15_000;
/** Less than a tool waits, and long enough for what runs beside it to end first. */
const slowLookMs = 3_000;

/**
 * The world outside of Holdfast: what took effect there is the truth that everything else is measured by.
 *
 *   I1  A request that was sent goes on whatever becomes of its sender.
 *   I2  A `deduplicated` key takes effect once; a refusal of it is final. An `idempotent` one sets the same again. Nothing
 *       else is de-duplicated.
 *   I3  A probe's `not_committed_final` is true from then on: what was under way is turned away.
 */
export class Outside {
  readonly requests: Request[] = [];
  /** Requests that took effect, in order; a repeat that changed nothing is none of them. */
  readonly applied: Request[] = [];
  private readonly refusedKeys = new Set<string>();
  private readonly finalUpTo = new Map<string, number>();
  private probes = 0;
  private looks = 0;
  /** Looks under way by who asks, and how many began beside another of theirs. */
  private readonly underWay = new Map<number, Set<number>>();
  looksBeside = 0;

  constructor(
    private readonly scheduler: Scheduler,
    private readonly behaviour: (request: number) => Behaviour,
    private readonly probeBehaviour: (probe: number) => 'tells' | 'finds nothing' | 'hangs',
    private readonly lookBehaviour: (look: number) => LookBehaviour,
    private readonly onSend: (request: Request) => void,
    private readonly onRepeat: (request: Request) => void,
  ) {}

  /** One request; it is under way when this returns. */
  send(owner: Owner, request: Omit<Request, 'number' | 'fate' | 'atMs'>, signal: AbortSignal): Promise<SendResult> {
    const sent: Request = {
      ...request,
      number: this.requests.length + 1,
      atMs: this.scheduler.nowMs,
      fate: 'under way',
    };
    this.requests.push(sent);
    this.scheduler.note(owner, `SENDS ${sent.number} ${sent.key} ${this.behaviour(sent.number)}`);
    this.onSend(sent);
    return new Promise<SendResult>((resolve, reject) => {
      const stop = () => reject(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      const answer = (settle: () => void) =>
        this.scheduler.soon(owner, `hears of request ${sent.number}`, () => {
          signal.removeEventListener('abort', stop);
          settle();
        });
      this.carry(sent, {
        answer: () => answer(() => resolve(resultOf(sent))),
        drop: () => answer(() => reject(new Error('socket hang up'))),
      });
    });
  }

  private carry(sent: Request, back: { answer: () => void; drop: () => void }): void {
    const behaviour = this.behaviour(sent.number);
    const arrive = (then: () => void) => () => {
      this.arrive(sent, behaviour === 'refuses');
      then();
    };
    const soon = (then: () => void) => this.scheduler.soon(elsewhere, `request ${sent.number} arrives`, arrive(then)); // I1
    switch (behaviour) {
      case 'answers':
      case 'refuses':
        soon(back.answer);
        return;
      case 'commits and drops':
        soon(back.drop);
        return;
      case 'commits and hangs':
        soon(() => {});
        return;
      case 'loses':
        sent.fate = 'lost';
        back.drop();
        return;
      case 'loses and hangs':
        sent.fate = 'lost';
        return;
      case 'is slow': {
        const ms = Math.floor(this.scheduler.random() * slowMaxMs);
        this.scheduler.later(elsewhere, ms, `request ${sent.number} arrives late`, arrive(back.answer));
      }
    }
  }

  private arrive(request: Request, refuse: boolean): void {
    const { key, effectClass } = request;
    const known = this.applied.find((other) => other.key === key);
    if ((this.finalUpTo.get(key) ?? 0) >= request.number)
      request.fate = 'refused'; // I3
    else if (effectClass === 'deduplicated' && known)
      request.fate = 'repeated'; // I2
    else if (refuse || this.refusedKeys.has(key)) {
      request.fate = 'refused';
      if (effectClass === 'deduplicated') this.refusedKeys.add(key);
    } else if (effectClass === 'idempotent' && known) {
      request.fate = 'repeated';
      this.onRepeat(request);
    } else {
      request.fate = 'applied';
      this.applied.push(request);
    }
    this.scheduler.note(elsewhere, `request ${request.number} ${request.fate}`);
  }

  probe(owner: Owner, key: string, signal: AbortSignal): Promise<ProbeResult> {
    this.probes += 1;
    const number = this.probes;
    const behaviour = this.probeBehaviour(number);
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      if (behaviour === 'hangs') return;
      this.scheduler.soon(elsewhere, `probe ${number} arrives`, () => {
        const found = behaviour === 'finds nothing' ? this.nothing(key) : this.look(key);
        this.scheduler.soon(owner, `probe ${number} finds ${found.kind}`, () => resolve(found));
      });
    });
  }

  /** Keys of what took effect on the target when the question arrives, in order; undefined where it is too busy to say. */
  peek(owner: Owner, by: number, target: string, signal: AbortSignal): Promise<readonly string[] | undefined> {
    this.looks += 1;
    const number = this.looks;
    const behaviour = this.lookBehaviour(number);
    const others = this.underWay.get(by) ?? new Set();
    if (others.size > 0) this.looksBeside += 1;
    this.underWay.set(by, others.add(number));
    return new Promise((resolve, reject) => {
      // Its signal is aborted after its end as well.
      const over = () => others.delete(number);
      signal.addEventListener(
        'abort',
        () => {
          over();
          reject(signal.reason);
        },
        { once: true },
      );
      const arrive = () => {
        const seen = this.applied.filter((request) => request.target === target).map(({ key }) => key);
        this.scheduler.soon(owner, `look ${number} sees ${seen.length}`, () => {
          over();
          resolve(behaviour === 'fails' ? undefined : seen);
        });
      };
      if (behaviour === 'hangs') return;
      if (behaviour === 'is slow') this.scheduler.later(elsewhere, slowLookMs, `look ${number} arrives late`, arrive);
      else this.scheduler.soon(elsewhere, `look ${number} arrives`, arrive);
    });
  }

  /** Only where there is nothing to be found yet. */
  private nothing(key: string): ProbeResult {
    const done = this.applied.some((request) => request.key === key);
    return done ? { kind: 'committed', output: `did ${key}` } : { kind: 'not_found' };
  }

  private look(key: string): ProbeResult {
    if (this.applied.some((request) => request.key === key)) return { kind: 'committed', output: `did ${key}` };
    this.finalUpTo.set(key, this.requests.length); // I3
    return { kind: 'not_committed_final' };
  }

  /** What a person sees who looks: the truth, or that it cannot be told yet. */
  see(key: string): 'committed' | 'not_committed' | 'under way' {
    if (this.applied.some((request) => request.key === key)) return 'committed';
    return this.requests.some((request) => request.key === key && request.fate === 'under way')
      ? 'under way'
      : 'not_committed';
  }
}

function resultOf(request: Request): SendResult {
  if (request.fate !== 'refused') return { kind: 'committed', output: `did ${request.key}` };
  const error = { code: 'REFUSED', message: 'No.', retryable: false, suggested_action: 'Leave it.' };
  return { kind: 'rejected', failure: { class: 'tool_business', code: 'REFUSED' }, error };
}
