import type { JobAnswer, JobCallback, SendResult, ToolDefinition, WriteContext } from '../../../src/activities/ports';

/** How a job of a test goes, by its name. */
export interface JobPlan {
  /** Answers to its polls, the last one again and again; none: it is never asked. */
  readonly polls?: readonly JobAnswer[];
  /** What it does when it is asked to end; left out, it goes on. */
  readonly cancelled?: JobAnswer;
  /** Before its submission is answered: it can be lost, or be late. */
  readonly submitting?: (callback: JobCallback | undefined) => Promise<void> | void;
}
interface Job {
  readonly name: string;
  asked: number;
  cancels: number;
  over?: JobAnswer;
}

/** The other side: it knows a job by the key that it was submitted under, and counts all that it is asked. */
export class JobService {
  readonly jobs = new Map<string, Job>();
  readonly callbacks = new Map<string, JobCallback>();
  /** What its tools say of any arguments from now on: a deploy has made them stricter. */
  refuses: string | undefined;

  constructor(private readonly plans: Readonly<Record<string, JobPlan>>) {}

  named(name: string): Job {
    const all = [...this.jobs.values()].filter((job) => job.name === name);
    if (all.length !== 1 || !all[0]) throw new Error(`${all.length} jobs are called ${name}`);
    return all[0];
  }

  tool(
    name: string,
    {
      maxMs = 3_600_000,
      effect = 'deduplicated' as 'deduplicated' | 'unsafe',
      polled = true,
      cancellable = true,
      keyed = false,
    } = {},
  ): ToolDefinition {
    return {
      name,
      description: 'Submits a job.',
      schema: { type: 'object' },
      validate: () => this.refuses,
      ...(keyed && { businessKey: ({ job }: { job: string }) => job }),
      version: '0123456789abcdef',
      workspace: false,
      effect,
      quick: false,
      timeoutMs: 5_000,
      job: {
        maxMs,
        ...(polled && { poll: async (handle: string) => this.poll(handle) }),
        ...(cancellable && { cancel: async (handle: string) => this.cancel(handle) }),
      },
      send: (key: string, args: { job: string }, context: WriteContext) => this.submit(key, args, context),
    };
  }

  private async submit(key: string, { job }: { job: string }, { callback }: WriteContext): Promise<SendResult> {
    if (!this.jobs.has(key)) this.jobs.set(key, { name: job, asked: 0, cancels: 0 });
    if (callback) this.callbacks.set(job, callback);
    await this.plans[job]?.submitting?.(callback);
    return { kind: 'pending', handle: key, pollAfterMs: 1_000 };
  }

  private poll(handle: string): JobAnswer {
    const job = this.jobs.get(handle);
    if (!job) throw new Error(`There is no job ${handle}`);
    job.asked += 1;
    if (job.over) return job.over;
    const polls = this.plans[job.name]?.polls ?? [];
    const answer = polls[Math.min(job.asked, polls.length) - 1] ?? { kind: 'running' };
    if (answer.kind !== 'running') job.over = answer;
    return answer;
  }

  private cancel(handle: string): void {
    const job = this.jobs.get(handle);
    if (!job) throw new Error(`There is no job ${handle}`);
    job.cancels += 1;
    const over = this.plans[job.name]?.cancelled;
    if (over) job.over = over;
  }
}
