import type { KeptProcess } from './process/keep-running';
import type { OnProgress } from './stack-progress';
import type { StackState } from './state-file';

/** What both servers of a stack are started with. */
export interface StackPlace {
  readonly dataDir: string;
  readonly tell: OnProgress;
  /** What the state file said of the last run on this data folder. */
  readonly earlier: StackState | undefined;
  /** After a server died and serves again. */
  readonly onRestart: () => void;
}

/** A server of ours and the ports that it keeps for the life of the stack. */
export interface OwnServer<Ports> {
  readonly kept: KeptProcess;
  readonly ports: Ports;
}
