import type { Criterion, DiffCriterion } from '../../domain/contract/contract';
import type { TaskText } from './task-schema';

export type CriterionText = NonNullable<TaskText['acceptance']>[number];

/** A check as the contract has it: only what the file sets. `filesHashes`: of the files that checks may bring along, by name. */
export function criterionOf(text: CriterionText, filesHashes: Readonly<Record<string, string>> = {}): Criterion {
  const base = {
    id: text.id,
    ...(text.repair !== undefined && { repair: text.repair }),
    ...('sealed' in text && text.sealed && { sealed: true as const }),
  };
  switch (text.check) {
    case 'command':
      return {
        ...base,
        check: 'command',
        run: text.run,
        ...(text.timeoutMs !== undefined && { timeoutMs: text.timeoutMs }),
        ...(text.files !== undefined && { files: { name: text.files, hash: filesHashes[text.files] ?? '' } }),
      };
    case 'diff':
      return { ...base, check: 'diff', ...globsOf(text) };
    case 'external': {
      const { tool, args = {}, expect, withinMs } = text;
      return { ...base, check: 'external', tool, args, expect, ...(withinMs !== undefined && { withinMs }) };
    }
    case 'query': {
      const { database, sql, expect } = text;
      return { ...base, check: 'query', database, ...(sql !== undefined && { sql }), ...(expect && { expect }) };
    }
    case 'citations': {
      const { minSources, questions } = text;
      const asked = { ...(minSources !== undefined && { minSources }), ...(questions && { questions }) };
      return { ...base, check: 'citations', ...asked };
    }
    case 'human':
      return { ...base, check: 'human', question: text.question, ...(text.approvers && { approvers: text.approvers }) };
    case 'audit_event':
      return { ...base, check: 'audit_event', type: text.type };
  }
}

function globsOf(
  text: { [Name in 'only' | 'mustChange' | 'mustNotChange']?: string[] | undefined },
): Partial<DiffCriterion> {
  const { only, mustChange, mustNotChange } = text;
  return { ...(only && { only }), ...(mustChange && { mustChange }), ...(mustNotChange && { mustNotChange }) };
}
