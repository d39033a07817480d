/**
 * The moments of a write at which the kill test ends or freezes the worker that makes it, in the order of a step. Each is
 * reached by what the worker does, not by a clock: in the ledger's transactions (watched-ledger.ts), or in a tool
 * (shop-tools.ts).
 */
export const points = [
  'before_intent',
  'after_intent',
  'claimed',
  'sent',
  'requested',
  'answered',
  'before_outcome',
  'after_outcome',
  'before_completion',
  'in_burst',
] as const;
export type Point = (typeof points)[number];

export const pointWords: Readonly<Record<Point | 'at_random', string>> = {
  before_intent: 'before INTENT',
  after_intent: 'after INTENT',
  claimed: 'after the claim',
  sent: 'after SENT',
  requested: 'before the request',
  answered: 'after the commit at the shop',
  before_outcome: 'before OUTCOME',
  after_outcome: 'after OUTCOME',
  before_completion: "before the activity's completion",
  in_burst: 'in the middle of a local burst',
  at_random: 'at random',
};

/** What happens to the worker there: SIGKILL, or SIGSTOP and seconds later SIGCONT. */
export type Blow = 'kill' | 'stop';

/** Strikes once: the first worker that reaches the point in an attempt of this task. */
export interface Order {
  readonly point: Point;
  readonly task: string;
  readonly blow: Blow;
}

export type ToWorker =
  | { readonly kind: 'arm'; readonly order: Order | undefined }
  /** The worker's way to Temporal is closed, so it can go on to its end. */
  | { readonly kind: 'go' };
export type FromWorker =
  | { readonly kind: 'ready' }
  /** The last thing that is heard of it before the blow. */
  | { readonly kind: 'reached'; readonly order: Order };
