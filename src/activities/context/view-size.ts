import { fence } from '../../domain/context/fence';
import type { ModelMessage, ModelRequest } from '../../domain/context/messages';
import { believedRatio, type CompactionPlan, planCompaction } from '../../domain/context/plan-compaction';
import { renderProjection } from '../../domain/context/render-projection';
import { buildView } from '../../domain/context/view';
import type { ViewFacts, ViewStep } from '../../domain/context/view-facts';
import type { ViewRows } from '../ledger-port';
import type { ModelPort, ModelProfile } from '../ports';

/** What views and texts cost one model, in tokens by its estimator: upper bounds. */
export class ViewSize {
  constructor(
    private readonly models: ModelPort,
    private readonly profile: ModelProfile,
    private readonly counted: ViewRows['counted'],
  ) {}

  /** What the estimator's numbers are to the provider, by the newest answer of this model; 1 before the first. */
  get ratio(): number {
    const { counted, profile } = this;
    return counted?.model === profile.name ? believedRatio(counted.reported, counted.reserved) : 1;
  }

  readonly text = (text: string): number => this.request({ system: text, messages: [], tools: [] });

  request(request: ModelRequest): number {
    return this.models.estimate(this.profile.name, request).inputTokens;
  }

  /** As the provider would count it, by what it last reported. */
  trued(request: ModelRequest): number {
    return Math.round(this.request(request) * this.ratio);
  }

  plan(facts: ViewFacts, tight: boolean): CompactionPlan {
    const { contextTokens, maxOutputTokens } = this.profile;
    const { projection, ...rest } = facts;
    return planCompaction({
      steps: facts.steps.map((step) => ({ step: step.step, tokens: this.step(step, facts.inputs) })),
      fixedTokens: this.request(buildView({ ...rest, steps: [] })),
      projectionTokens: projection ? this.text(renderProjection(projection)) : 0,
      contextTokens,
      outputTokens: Math.min(maxOutputTokens, contextTokens / 2),
      ratio: this.ratio,
      tight,
    });
  }

  /** With the inputs that go with it. */
  private step({ step, text, calls }: ViewStep, inputs: ViewFacts['inputs']): number {
    const said = inputs.filter(({ afterStep }) => afterStep === step).map((input) => input.text);
    const told = calls.flatMap(({ tool, rawArgs, output }) => [tool, rawArgs, fence(output ?? '')]);
    const messages = [text, ...told, ...said].map((one): ModelMessage => ({ role: 'user', text: one }));
    return this.request({ system: '', messages, tools: [] });
  }
}
