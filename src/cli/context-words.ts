import { faultWords } from '../domain/context/fault-words';
import type { Bill, EventContent } from '../protocol/events';
import { money, plural } from '../requests/words/words';
import { paint } from './output';

type ContextEvent = Extract<EventContent, { type: 'context_compacted' | 'projection_rejected' }>;

/** What became of the model's view of older steps (R13.4). */
export function contextWords(event: ContextEvent): string {
  switch (event.type) {
    case 'context_compacted': {
      const { by, uptoStep, tokensBefore, tokensAfter, items, left, bill } = event.payload;
      const made = by === 'summary' ? 'summed up' : 'kept as a list, without a summary';
      const more = left > 0 ? `, ${left} more to be recalled` : '';
      return `steps 1–${uptoStep} ${made}: ${plural(items, 'item')}${more}; ${tokensBefore} → ${tokensAfter} tokens${billWords(bill)}`;
    }
    case 'projection_rejected': {
      const { by, faults, bill } = event.payload;
      const what = by === 'summary' ? 'a summary was not taken' : 'the view was left as it is';
      return paint('yellow', `${what}: ${faults.map(faultWords).join('; ')}${billWords(bill)}`);
    }
  }
}

/** The summary's own call, which is no step of the attempt and is told nowhere else. */
function billWords(bill: Bill | undefined): string {
  if (bill === undefined) return '';
  const { tokensIn, tokensOut, costMicroUsd, priceUnknown } = bill;
  const cost = priceUnknown ? 'price unknown' : money(costMicroUsd);
  return ` (${plural(tokensIn, 'token')} in and ${tokensOut} out, ${cost})`;
}
