import type { EventContent } from '../protocol/events';
import { raisedWords } from '../requests/words/limit-words';
import { excerpt, plural } from '../requests/words/words';
import { paint } from './output';
import { renderCancel } from './render-cancel';
import { row } from './row';

/** One line of the log; `show` has more of it. */
const detailLength = 200;

/** Events about what acts outside: decisions, approvals, effects, and what a cancel came to. */
export type EffectEvent = Extract<
  EventContent,
  {
    type:
      | 'action_denied'
      | 'approval_requested'
      | 'approval_answered'
      | 'approval_closed'
      | 'effect_unknown'
      | 'effect_settled'
      | 'effect_probed'
      | 'effect_conflict'
      | 'effect_reused'
      | 'target_busy'
      | 'compensated'
      | 'job_submitted'
      | 'job_ended'
      | 'child_started'
      | 'child_ended'
      | 'cancel_settled'
      | 'limits_raised'
      | 'goal_revised';
  }
>;

/** As lines for a person. */
export function renderEffectEvent(event: EffectEvent): readonly string[] {
  switch (event.type) {
    case 'action_denied': {
      const { tool, code, rule } = event.payload;
      return [row('denied', paint('yellow', `${tool}: ${code} (${rule})`))];
    }
    case 'approval_requested': {
      const { tool, rule, needed, expiresAt } = event.payload;
      const until = new Date(expiresAt).toISOString();
      return [row('approval', `${tool} waits for ${plural(needed, 'approval')} until ${until} (${rule})`)];
    }
    case 'approval_answered': {
      const { answer, by, channel, left } = event.payload;
      const verdict = answer === 'approve' ? paint('green', 'approved') : paint('red', 'denied');
      const more = left > 0 ? `; ${left} more needed` : '';
      return [row('approval', `${verdict} by ${by} (${channel})${more}`)];
    }
    case 'approval_closed':
      return [row('approval', paint('yellow', `${event.payload.as}: ${event.payload.action}`))];
    case 'cancel_settled':
      return renderCancel(event.payload);
    case 'limits_raised': {
      const { by, limits } = event.payload;
      const raised = raisedWords(limits);
      return [row('budget', `${by} raised ${raised.join(', ')}`)];
    }
    case 'job_submitted':
      return [row('job', `${event.payload.tool} goes on elsewhere as ${event.payload.handle}`)];
    case 'job_ended': {
      const { tool, as, by } = event.payload;
      const how = by === 'limit' ? 'it took too long' : by === 'callback' ? 'it called back' : 'as it was asked';
      return [row('job', `${tool} ${as === 'succeeded' ? paint('green', as) : paint('yellow', as)} (${how})`)];
    }
    case 'child_started':
      return [row('child', `${event.payload.child} works on it`)];
    case 'child_ended': {
      const { child, state, reason } = event.payload;
      return [
        row(
          'child',
          `${child} is over: ${state === 'COMPLETED' ? paint('green', state) : paint('yellow', state)} (${reason})`,
        ),
      ];
    }
    case 'goal_revised':
      return [row('goal', `revised: contract version ${event.payload.contractVersion}`)];
    default:
      return [row('effect', effectWords(event))];
  }
}

type OutsideEvent = Exclude<
  EffectEvent,
  {
    type:
      | 'action_denied'
      | 'approval_requested'
      | 'approval_answered'
      | 'approval_closed'
      | 'job_submitted'
      | 'job_ended'
      | 'child_started'
      | 'child_ended'
      | 'cancel_settled'
      | 'limits_raised'
      | 'goal_revised';
  }
>;

function effectWords(event: OutsideEvent): string {
  switch (event.type) {
    case 'effect_unknown': {
      const { effect, code, detail } = event.payload;
      const said = detail === undefined ? '' : `: ${excerpt(detail, detailLength)}`;
      return paint('yellow', `unknown whether it happened: ${effect} (${code}${said})`);
    }
    case 'effect_settled': {
      const { effect, as, by, name } = event.payload;
      return `${as === 'committed' ? 'it happened' : 'it did not happen'}, by ${name ?? by}: ${effect}`;
    }
    case 'effect_probed':
      return `looked ${plural(event.payload.round, 'time')}: ${event.payload.found}`;
    case 'effect_conflict': {
      const { effect, recorded, said } = event.payload;
      return paint('red', `recorded as ${recorded}, now told ${said}; a person must look: ${effect}`);
    }
    case 'effect_reused':
      return `known from before, nothing was sent: ${event.payload.effect}`;
    case 'target_busy':
      return paint('yellow', `${event.payload.target} waits for the truth about ${event.payload.effect}`);
    case 'compensated': {
      const { effect, ok } = event.payload;
      return ok ? `undone: ${effect}` : paint('red', `could not be undone: ${effect}`);
    }
  }
}
