import type { Limits } from '../../src/domain/budget/account';
import type { Contract } from '../../src/domain/contract/contract';
import type { Transcript } from '../../src/models/scripted/transcript-schema';
import type { StartSnapshot } from '../../src/protocol/attempt';
import type { EventContent } from '../../src/protocol/events';
import type { MessageContent } from '../../src/protocol/messages';

type Call = { readonly tool: string; readonly args: { readonly n: number } };
type Told = Exclude<MessageContent, { kind: 'unknown' }>;

/** A way through the workflow that a kept history stands for. One more is added with each end or pause; none is changed. */
export interface Scenario {
  /** Steps as the scripted model answers them. */
  readonly steps: NonNullable<Transcript['steps']>;
  /** `workspace`: a file is to be changed; `kept`: whatever the files are is right. */
  readonly contract?: 'workspace' | 'kept' | Partial<Contract>;
  /** What the model writes about steps that leave the view. */
  readonly summaries?: Transcript['summaries'];
  /** Of the model, so that a few steps fill it. */
  readonly contextTokens?: number;
  readonly limits?: Partial<Limits>;
  readonly snapshot?: Partial<StartSnapshot>;
  /** Sent one after the other, each once the attempt waits. */
  readonly messages?: readonly Told[];
  /** Sent while the model works on the first step. */
  readonly meanwhile?: Told;
  /** Policy asks for every write, and so long. */
  readonly asks?: { readonly expiresInMs: number };
  /**
   * `blocker`: another attempt of the same steps comes first, and once the attempt of the scenario waits, a person settles what
   * the first one did. `compensation`: the attempt of the scenario is the one that undoes the first effect of these steps.
   */
  readonly beside?: 'blocker' | 'compensation';
  /** Before its messages are sent its worker is stopped, and another one begins, with other code and another environment. */
  readonly elsewhere?: true;
  /** Events without which it is another way than the one that is meant. */
  readonly tells?: readonly EventContent['type'][];
  readonly end: string;
}

const finish = (status: string) => ({ calls: [{ tool: 'finish', args: { summary: 'Done.', status } }] });
const look = { calls: [{ tool: 'look' }] };
const [look1, look2, look3, look4] = [1, 2, 3, 4].map((n) => ({ tool: 'look', args: { n } })) as [
  Call,
  Call,
  Call,
  Call,
];
const plan = (step: number) => ({
  calls: [{ tool: 'update_plan', args: { steps: [{ id: `s${step}`, title: 'Go on', status: 'doing' }] } }],
});
const write = (content: string) => ({ calls: [{ tool: 'write_file', args: { path: 'answer.txt', content } }] });
const go: Told = { kind: 'say', body: { text: 'Go on.' } };
const cancel: Told = { kind: 'cancel', body: { by: 'ana' } };
const suspend: Told = { kind: 'suspend', body: { by: 'ana' } };
const resume: Told = { kind: 'resume', body: { by: 'ana' } };
const pay = { calls: [{ tool: 'pay' }] };
/** Pages of a book, one a step, long enough that a dozen fill the context below. */
const pages = (upto: number) =>
  Object.fromEntries(
    Array.from({ length: upto }, (_, index) => [
      index + 1,
      { calls: [{ tool: 'read_page', args: { page: index + 1 } }] },
    ]),
  );
const smallContextTokens = 12_000;
const roomy = { maxTokens: 10_000_000, maxToolCalls: 100 };
const revise = (text: string): Told => ({ kind: 'say', body: { text, by: 'ana', revise: true } });
const mail = { calls: [{ tool: 'mail' }] };
const day = { expiresInMs: 86_400_000 };
/** The attempt of a scenario is the first one of a task of its name. */
const firstAction = (name: string) => `${name}/1/s1.a0`;
const answer = (kind: 'approve' | 'deny', name: string): Told => ({
  kind,
  body: { actionId: firstAction(name), by: 'ana' },
});
export const happened = (name: string): Told => ({
  kind: 'reconcile',
  body: { actionId: firstAction(name), outcome: 'committed', by: 'ana', evidence: 'It is in the log.' },
});

export const scenarios: Readonly<Record<string, Scenario>> = {
  'completed-dialog': { steps: { 1: look, 2: { text: 'Done.' } }, end: 'COMPLETED' },
  'completed-after-repair': {
    steps: { 1: write('wrong'), 2: finish('done'), 3: write('right'), 4: finish('done') },
    contract: 'workspace',
    end: 'COMPLETED',
  },
  'completed-after-retries': { steps: { 1: { text: 'Done.', fault: { status: 503, times: 2 } } }, end: 'COMPLETED' },
  'completed-over-runs': {
    steps: { 1: plan(1), 2: plan(2), 3: plan(3), 4: { text: 'Done.' } },
    snapshot: { stepsPerRun: 2 },
    end: 'COMPLETED',
  },
  'failed-loop': {
    steps: { 1: look, 2: look, 3: look, 4: look, 5: look },
    limits: { maxSameToolErrors: 9 },
    end: 'FAILED',
  },
  'waited-for-answer': {
    steps: { 1: { calls: [{ tool: 'ask_user', args: { question: 'Which?' } }] }, 2: { text: 'Done.' } },
    messages: [go],
    end: 'COMPLETED',
  },
  'waited-blocked-by-model': {
    steps: { 1: { text: 'never', fault: { status: 401 } }, 2: { text: 'Done.' } },
    messages: [go],
    end: 'COMPLETED',
  },
  'waited-refused': { steps: { 1: finish('refused'), 2: { text: 'Done.' } }, messages: [go], end: 'COMPLETED' },
  'waited-stopped': {
    steps: { 1: { text: 'I stop.' }, 2: finish('blocked') },
    contract: { kind: 'code_change' },
    messages: [go, cancel],
    end: 'CANCELLED',
  },
  'suspended-by-budget': { steps: { 1: look }, limits: { maxToolCalls: 0 }, messages: [cancel], end: 'CANCELLED' },
  'cancelled-in-flight': {
    steps: { 1: { text: 'Too late.', delayMs: 9_000 } },
    meanwhile: cancel,
    end: 'CANCELLED',
  },
  'waited-gave-up': {
    steps: { 1: { calls: [{ tool: 'broken' }] }, 2: { text: 'Done.' } },
    messages: [go],
    end: 'COMPLETED',
  },
  approved: {
    steps: {
      1: { calls: [{ tool: 'look' }, { tool: 'pay' }, { tool: 'look', args: { again: true } }] },
      2: { text: 'Done.' },
    },
    asks: day,
    messages: [{ kind: 'approve', body: { actionId: 'approved/1/s1.a1', by: 'ana' } }],
    end: 'COMPLETED',
  },
  denied: {
    steps: { 1: pay, 2: { text: 'Done.' } },
    asks: day,
    messages: [answer('deny', 'denied')],
    end: 'COMPLETED',
  },
  'approval-expired': { steps: { 1: pay, 2: { text: 'Done.' } }, asks: { expiresInMs: 1_000 }, end: 'COMPLETED' },
  'approved-in-next-run': {
    steps: { 1: pay, 2: { text: 'Done.' } },
    asks: day,
    snapshot: { stepsPerRun: 1 },
    messages: [answer('approve', 'approved-in-next-run')],
    end: 'COMPLETED',
  },
  'cancelled-unapproved': { steps: { 1: pay }, asks: day, messages: [cancel], end: 'CANCELLED' },
  'reconciled-by-probe': { steps: { 1: { calls: [{ tool: 'transfer' }] }, 2: { text: 'Done.' } }, end: 'COMPLETED' },
  'reconciled-by-person': {
    steps: { 1: mail, 2: { text: 'Done.' } },
    messages: [happened('reconciled-by-person')],
    end: 'COMPLETED',
  },
  'cancelled-effect-open': {
    steps: { 1: mail },
    messages: [cancel, happened('cancelled-effect-open')],
    end: 'CANCELLED',
  },
  'target-busy': { steps: { 1: mail, 2: { text: 'Done.' } }, beside: 'blocker', end: 'COMPLETED' },
  'suspended-in-flight': {
    steps: { 1: { text: 'Too late.', delayMs: 9_000 }, 2: { text: 'Done.' } },
    meanwhile: suspend,
    messages: [resume],
    end: 'COMPLETED',
  },
  'suspended-waiting': {
    steps: { 1: pay, 2: { text: 'Done.' } },
    asks: day,
    messages: [suspend, resume, answer('approve', 'suspended-waiting')],
    end: 'COMPLETED',
  },
  'budget-raised': {
    steps: { 1: { calls: [{ tool: 'look' }, { tool: 'look', args: { again: true } }] }, 2: { text: 'Done.' } },
    limits: { maxToolCalls: 1 },
    messages: [{ kind: 'resume', body: { by: 'ana', budget: { maxToolCalls: 5 } } }],
    end: 'COMPLETED',
  },
  compacted: {
    steps: { ...pages(14), 15: { text: 'Done.' } },
    contextTokens: smallContextTokens,
    limits: roomy,
    summaries: [{ text: 'Pages were read, one after the other, and nothing stood there.' }],
    tells: ['context_compacted'],
    end: 'COMPLETED',
  },
  'compacted-mechanically': {
    steps: { ...pages(14), 15: { text: 'Done.' } },
    contextTokens: smallContextTokens,
    limits: roomy,
    summaries: [{ text: '  ' }],
    tells: ['projection_rejected', 'context_compacted'],
    end: 'COMPLETED',
  },
  'compacted-after-overflow': {
    steps: {
      ...pages(8),
      9: { text: 'Done.', fault: { status: 400, type: 'context_length_exceeded' } },
    },
    contextTokens: smallContextTokens,
    limits: roomy,
    summaries: [{ text: 'Pages were read, and nothing stood there.' }],
    tells: ['context_compacted'],
    end: 'COMPLETED',
  },
  'revised-while-asked': {
    steps: { 1: { calls: [{ tool: 'pay' }, { tool: 'look' }] }, 2: { text: 'Done.' } },
    asks: day,
    messages: [revise('Pay nothing, and say why.')],
    tells: ['goal_revised', 'approval_closed', 'action_denied'],
    end: 'COMPLETED',
  },
  'revised-before-commit': {
    steps: { 1: { ...finish('done'), delayMs: 3_000 }, 2: finish('done') },
    contract: 'kept',
    meanwhile: revise('And write down why.'),
    tells: ['goal_revised', 'committed'],
    end: 'COMPLETED',
  },
  'said-before-end': {
    steps: { 1: { text: 'Done.', delayMs: 3_000 }, 2: { text: 'That too.' } },
    meanwhile: go,
    end: 'COMPLETED',
  },
  'resumed-elsewhere': {
    steps: { 1: { text: 'Too late.', delayMs: 9_000 }, 2: look, 3: finish('done') },
    contract: 'kept',
    meanwhile: suspend,
    messages: [resume],
    elsewhere: true,
    tells: ['version_changed'],
    end: 'COMPLETED',
  },
  'budget-reached': {
    steps: { 1: look, 2: { text: 'Done.' } },
    limits: { maxTokens: 1_000 },
    messages: [{ kind: 'resume', body: { by: 'ana', budget: { maxTokens: 100_000 } } }],
    tells: ['budget_exceeded', 'limits_raised'],
    end: 'COMPLETED',
  },
  'side-by-side': {
    steps: { 1: { calls: [look1, look2, ...pay.calls, look3, look4] }, 2: { text: 'Done.' } },
    asks: day,
    snapshot: { flow: 2, parallelActionsMax: 8 },
    messages: [{ kind: 'approve', body: { actionId: 'side-by-side/1/s1.a2', by: 'ana' } }],
    end: 'COMPLETED',
  },
  'side-by-side-retried': {
    steps: {
      1: { calls: [look1, { tool: 'ring', args: { n: 1 } }, { tool: 'ring', args: { n: 2 } }] },
      2: { text: 'Done.' },
    },
    snapshot: { flow: 2, parallelActionsMax: 8 },
    tells: ['tool_retry'],
    end: 'COMPLETED',
  },
  compensated: { steps: { 1: pay, 2: { text: 'Done.' } }, beside: 'compensation', end: 'COMPLETED' },
};
