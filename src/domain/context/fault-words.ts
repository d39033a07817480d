import type { ProjectionFault } from './validate-projection';

/** Why a projection was not installed, for the summariser that may try again and for people. */
export function faultWords({ code, items = [] }: ProjectionFault): string {
  const which = items.length === 0 ? '' : ` (${items.join(', ')})`;
  switch (code) {
    case 'HALF_HIDDEN':
      return `a call would be hidden before its result is there${which}`;
    case 'NO_STEP_END':
      return 'it does not end with a step';
    case 'WENT_BACK':
      return 'it stands for fewer steps than the one before';
    case 'CONTRACT_VERSION':
      return 'the contract has changed since';
    case 'POLICY_VERSION':
      return 'the policy has changed since';
    case 'ITEM_MISSING':
      return `protected items are missing${which}`;
    case 'ITEM_CHANGED':
      return `protected items were changed${which}`;
    case 'ITEM_INVENTED':
      return `items are in it that the record does not have${which}`;
    case 'ITEM_NOT_RETRIEVED':
      return `items were left out that cannot be recalled${which}`;
    case 'LEFT_MISCOUNTED':
      return `it does not say rightly what was left out${which}`;
    case 'SUMMARY_EMPTY':
      return 'the summary is empty';
    case 'SUMMARY_CUT':
      return 'the summary was cut before its end: write less';
    case 'SUMMARY_FORGES':
      return 'the summary holds what only the runtime writes (marks, roles, calls, results, ids or pointers that do not exist): write prose';
    case 'NOT_SMALLER':
      return 'the view would hardly be smaller: write less';
  }
}
