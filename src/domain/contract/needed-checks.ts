import type { Criterion, TaskKind } from './contract';

/** R3.3: without one of these, "done" would be the model's word alone. */
export const neededChecks: Readonly<Record<TaskKind, { needed: readonly Criterion['check'][]; example: string }>> = {
  dialog: { needed: [], example: '' },
  code_change: {
    needed: ['command', 'diff', 'external'],
    example: '{ id: tests, check: command, run: npm test }',
  },
  data: {
    needed: ['query'],
    example: '{ id: figure, check: query, database: sales }',
  },
  research: {
    needed: ['citations'],
    example: '{ id: sources, check: citations, minSources: 2 }',
  },
  business_action: {
    needed: ['external'],
    example: '{ id: done, check: external, tool: get_refund, args: { orderId: "1042" }, expect: { status: settled } }',
  },
};
