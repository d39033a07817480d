import type { Limits } from '../../src/domain/budget/account';
import type { Contract } from '../../src/domain/contract/contract';
import type { Transcript } from '../../src/models/scripted/transcript-schema';
import type { StartSnapshot } from '../../src/protocol/attempt';
import type { MessageContent } from '../../src/protocol/messages';

/** A way through the workflow that a kept history stands for. One more is added with each end or pause; none is changed. */
export interface Scenario {
  /** Steps as the scripted model answers them. */
  readonly steps: NonNullable<Transcript['steps']>;
  readonly contract?: 'workspace' | Partial<Contract>;
  readonly limits?: Partial<Limits>;
  readonly snapshot?: Partial<StartSnapshot>;
  /** Sent one after the other, each once the attempt waits. */
  readonly messages?: readonly Exclude<MessageContent, { kind: 'unknown' }>[];
  /** Sent while the model works on the first step. */
  readonly meanwhile?: Exclude<MessageContent, { kind: 'unknown' }>;
  readonly end: string;
}

const finish = (status: string) => ({ calls: [{ tool: 'finish', args: { summary: 'Done.', status } }] });
const look = { calls: [{ tool: 'look' }] };
const plan = (step: number) => ({
  calls: [{ tool: 'update_plan', args: { steps: [{ id: `s${step}`, title: 'Go on', status: 'doing' }] } }],
});
const write = (content: string) => ({ calls: [{ tool: 'write_file', args: { path: 'answer.txt', content } }] });
const go: MessageContent = { kind: 'say', body: { text: 'Go on.' } };
const cancel: MessageContent = { kind: 'cancel', body: { by: 'ana' } };

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
};
