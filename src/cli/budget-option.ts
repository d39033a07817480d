import type { z } from 'zod';
import { budgetSchema } from '../config/schema';
import type { BudgetRaise } from '../protocol/messages';
import { CliError } from './cli-error';
import { exitCodes } from './exit-codes';

const names = Object.keys(budgetSchema.shape);

/** Limits to raise, written `maxCostUsd=5`, in the units of a task file. Throws CliError where one is not understood. */
export function budgetOf(written: readonly string[]): BudgetRaise {
  const budget: Record<string, number> = {};
  for (const text of written) {
    const [, name = '', amount = ''] = /^\s*(\w+)\s*=\s*(\S+)\s*$/.exec(text) ?? [];
    if (!names.includes(name)) throw wrong(`"${text}" names no limit.`);
    if (Object.hasOwn(budget, name)) throw wrong(`${name} is given twice.`);
    budget[name] = Number(amount);
  }
  const checked = budgetSchema.safeParse(budget);
  const [issue] = checked.error?.issues ?? [];
  if (issue !== undefined) throw wrong(`${issue.path.join('.')}: ${issueWords(issue)}.`);
  return budget;
}

/** What is wrong with an amount, in words of ours. */
function issueWords(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'int'
        ? 'it counts something, so it is a whole number'
        : 'what stands there is no number';
    case 'too_small':
      return issue.inclusive ? `it is at least ${issue.minimum}` : `it is more than ${issue.minimum}`;
    case 'too_big':
      return `it is at most ${issue.maximum}`;
    default:
      return 'it is no amount that this limit can have';
  }
}

function wrong(what: string): CliError {
  return new CliError(
    exitCodes.usage,
    what,
    `Write it like --budget maxCostUsd=5; the limits are ${names.join(', ')}.`,
  );
}
