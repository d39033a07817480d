import { faultWords } from '../../domain/context/fault-words';
import { makeProjection } from '../../domain/context/make-projection';
import type { ModelRequest } from '../../domain/context/messages';
import type { CompactionPlan } from '../../domain/context/plan-compaction';
import type { Projection } from '../../domain/context/projection';
import { summaryRequest } from '../../domain/context/summary-request';
import type { ProjectionFacts } from '../../domain/context/validate-projection';
import { buildView } from '../../domain/context/view';
import type { ViewFacts } from '../../domain/context/view-facts';
import type { CallArgs } from '../../protocol/calls';
import type { ActivityDeps } from '../deps';
import type { ViewRows } from '../ledger-port';
import type { ModelOutcome, ModelProfile } from '../ports';
import { type Protected, protectedItems } from './protected-items';
import { RecordReader } from './record-reader';
import { retrievedItems } from './retrieved-items';
import { viewFacts } from './view-facts';
import { ViewSize } from './view-size';

/** A projection, and what it is judged by, whatever the contract and the policy are when it is installed. */
export interface Made {
  readonly projection: Projection;
  readonly facts: Omit<ProjectionFacts, 'contractVersion' | 'policy'>;
}
type Plan = Extract<CompactionPlan, { kind: 'compact' }>;
type Answered = Extract<ModelOutcome, { kind: 'answered' }>;

/** One compaction of one view: what leaves it, the request for a summary, and the projection that comes of either. */
export class Compaction {
  private constructor(
    private readonly deps: ActivityDeps,
    private readonly rows: ViewRows,
    private readonly profile: ModelProfile,
    private readonly size: ViewSize,
    private readonly facts: ViewFacts,
    private readonly plan: Plan,
    private readonly kept: Protected,
  ) {}

  /** Undefined where nothing would become smaller. */
  static async of(
    deps: ActivityDeps,
    rows: ViewRows,
    profile: ModelProfile,
    { step, tight }: Pick<CallArgs['compact'], 'step' | 'tight'>,
  ): Promise<Compaction | undefined> {
    const facts = await viewFacts(deps, rows, step);
    const size = new ViewSize(deps.models, profile, rows.counted);
    const plan = size.plan(facts, tight === true);
    if (plan.kind === 'none') return undefined;
    const kept = await protectedItems(deps, rows, plan.uptoStep);
    return new Compaction(deps, rows, profile, size, facts, plan, kept);
  }

  /** `rejected`: why the summary before this one was of no use. */
  request(rejected: CallArgs['compact']['rejected']): ModelRequest {
    const { facts, plan, profile, size } = this;
    const room = profile.contextTokens - Math.min(profile.maxOutputTokens, profile.contextTokens / 2);
    return summaryRequest({
      goal: facts.contract.goal,
      earlier: facts.projection?.summary ?? '',
      steps: facts.steps.filter(({ step }) => step <= plan.uptoStep),
      inputs: facts.inputs,
      summaryTokens: plan.summaryTokens,
      promptTokens: Math.floor((room * promptShare) / Math.max(1, size.ratio)),
      count: size.text,
      faults: rejected ? [faultWords({ code: rejected })] : [],
    });
  }

  /** Of a model's answer, or without one. */
  async make(answer?: Answered): Promise<Made> {
    const { facts, plan, size, rows, deps, kept } = this;
    const projection = makeProjection({
      uptoStep: plan.uptoStep,
      contractVersion: rows.attempt.contractVersion,
      policy: deps.policy.version,
      madeBy: answer ? 'summary' : 'mechanical',
      items: kept.items,
      itemTokens: plan.itemTokens,
      summary: answer?.text ?? '',
      count: size.text,
    });
    const steps = facts.steps.filter(({ step }) => step > plan.uptoStep);
    return {
      projection,
      facts: {
        items: kept.items,
        steps: kept.steps,
        installedUptoStep: rows.projection?.uptoStep ?? 0,
        retrieved: await this.retrieved(projection),
        finish: answer ? (answer.finish === 'stop' ? 'complete' : 'cut') : null,
        tokensBefore: size.trued(buildView(facts)),
        tokensAfter: size.trued(buildView({ ...facts, steps, hiddenSteps: plan.uptoStep, projection })),
      },
    };
  }

  /** What the projection leaves out and `recall` gives back, once that is installed. */
  private retrieved({ items }: Projection): Promise<ReadonlySet<string>> {
    const { deps, rows, plan, kept } = this;
    const record = new RecordReader(deps, rows.attempt.ref, { rows, uptoStep: plan.uptoStep });
    const shown = new Set(items.map(({ id }) => id));
    return retrievedItems(
      record,
      kept.items.filter(({ id }) => !shown.has(id)),
    );
  }
}

/** Part of what the answer leaves of the context: the summariser is asked about what it can read whole. */
const promptShare = 0.8;
