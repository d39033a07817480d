import type { ProcessResult } from '../../activities/ports';
import { ChildRun } from './child-run';
import { type ProcessMark, signalProcess } from './end-processes';
import { createOutputWindow, type OutputWindow } from './output-window';

/**
 * Runs one program in a process group of its own and leaves nothing of it behind (R11.1).
 *
 *   I1  The program starts only after `onMarked` returned: a worker that dies earlier closes the gate, and it never ran.
 *   I2  Every return and every throw comes after all of its processes are dead, checked.
 *   I3  Memory is bounded whatever it prints.
 */
export interface RunRequest {
  /** Wrapped by the sandbox; its last words must begin with a write to descriptor 4, which says that it started. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Runs between the fork and the start, so that a record of the processes comes before them. */
  readonly onMarked?: (mark: ProcessMark) => Promise<void> | void;
  /** The output as it comes, for progress. */
  readonly onOutput?: (chunk: Buffer) => void;
}

/** After TERM; enough for a test runner to remove its temporary files, short enough for a person who cancels, ms. */
export const killGraceMs = 2_000;
/** Head and tail of an output, bytes; far above what a model is shown, and small in memory. */
export const maxOutputBytes = 256 * 1024;
export async function runProcess(request: RunRequest): Promise<ProcessResult> {
  request.signal.throwIfAborted();
  const begun = performance.now();
  const window = createOutputWindow(maxOutputBytes);
  const run = new ChildRun(request, window);
  const mark = run.mark;
  if (!mark) return notStarted(await run.failed, window, begun);

  const stopped = new Stop(run, mark);
  const timer = setTimeout(() => stopped.stop('timed_out'), request.timeoutMs);
  const onAbort = () => stopped.stop('aborted');
  try {
    await request.onMarked?.(mark);
    request.signal.addEventListener('abort', onAbort);
    if (request.signal.aborted) onAbort();
    run.whenFlooded(() => stopped.stop('flooded'));
    run.open();
    const exit = await run.exited;
    await run.allGone(mark); // I2
    request.signal.throwIfAborted();
    return result(run, stopped.why, exit, window, begun);
  } finally {
    clearTimeout(timer);
    request.signal.removeEventListener('abort', onAbort);
    stopped.done();
    await run.allGone(mark); // also where recording the mark failed
  }
}

interface Exit {
  readonly code: number | null;
}

type StopReason = 'timed_out' | 'aborted' | 'flooded';

/** Ends a run once: TERM, the grace, KILL. */
class Stop {
  why: StopReason | undefined;
  #kill: NodeJS.Timeout | undefined;

  constructor(
    private readonly run: ChildRun,
    private readonly mark: ProcessMark,
  ) {}

  stop(why: StopReason): void {
    if (this.why) return;
    this.why = why;
    for (const pid of this.run.commandProcesses(this.mark)) signalProcess(pid, 'SIGTERM');
    const graceMs = why === 'flooded' ? 0 : killGraceMs;
    this.#kill = setTimeout(() => void this.run.kill(this.mark), graceMs);
  }

  done(): void {
    clearTimeout(this.#kill);
  }
}

function result(
  run: ChildRun,
  why: StopReason | undefined,
  exit: Exit,
  window: OutputWindow,
  begun: number,
): ProcessResult {
  if (!run.started && why === undefined) return notStarted('', window, begun);
  const ended = { output: window.text(), outputBytes: window.bytes, durationMs: Math.round(performance.now() - begun) };
  if (why === 'timed_out') return { end: 'timed_out', exitCode: null, ...ended };
  if (why !== undefined || exit.code === null) return { end: 'signalled', exitCode: null, ...ended };
  return { end: 'exited', exitCode: exit.code, ...ended };
}

function notStarted(why: string, window: OutputWindow, begun: number): ProcessResult {
  const output = `${window.text()}${why}`;
  return {
    end: 'not_started',
    exitCode: null,
    output,
    outputBytes: window.bytes,
    durationMs: Math.round(performance.now() - begun),
  };
}
