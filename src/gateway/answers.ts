import type { AttemptState, Reason } from '../domain/attempt/states';
import type { DayCost } from '../ledger/queries/cost-by-day';
import type { ListedEffect } from '../ledger/queries/effect-list';
import type { StepDetails } from '../ledger/queries/step-details';
import type { Audience } from '../protocol/audiences';
import type { Caller } from '../protocol/roles';
import type { Answered } from '../requests/acts/answer-approval';
import type { Forked } from '../requests/acts/fork-from';
import type { Said } from '../requests/acts/say-in-thread';
import type { StartedTask } from '../requests/acts/start-task';
import type { AttemptDocument } from '../requests/documents/attempt-document';
import type { ListDocument } from '../requests/documents/attempt-list';
import type { Pending } from '../requests/pending/pending';
import type { ProblemDocument } from './problem';

/** What the routes answer with, by the names that they give it; `npm run schemas` publishes these as schema/api.schema.json. */
export interface Answers {
  readonly Health: { readonly status: 'ok' };
  readonly Session: Caller & { readonly audience: Audience };
  readonly AttemptPage: ListDocument;
  readonly AttemptDocument: AttemptDocument;
  readonly EffectList: { readonly effects: readonly ListedEffect[] };
  readonly StepDocument: StepDetails;
  readonly Inbox: { readonly pending: readonly Pending[] };
  /** Events: schema/event.schema.json. */
  readonly EventPage: { readonly events: readonly object[]; readonly next: number | null };
  readonly Cost: { readonly tenant: string; readonly days: readonly DayCost[] };
  readonly Started: {
    readonly attemptId: string;
    readonly taskId: string;
    readonly workflowId: string;
    readonly runId: string | null;
    readonly outcome: StartedTask['kind'];
    readonly state: AttemptState;
    readonly reason: Reason | null;
    /** All that run side by side. */
    readonly attempts: readonly string[];
  };
  readonly Answered: Pick<Answered, 'actionId' | 'messageId' | 'fate' | 'left'> & {
    readonly attemptId: string;
    readonly outcome: NonNullable<Answered['outcome']>['kind'] | null;
  };
  readonly Said: Pick<Said, 'messageId' | 'as' | 'fate'> & { readonly attemptId: string };
  readonly Sent: { readonly attemptId: string; readonly messageId: string };
  readonly Told: { readonly attemptId: string; readonly messageId: string; readonly fate: Answered['fate'] };
  /** `state`: where that led; null where it was not taken yet. */
  readonly Resumed: Answers['Told'] & { readonly state: AttemptState | null };
  readonly Forked: Pick<Forked, 'checkpoint' | 'took'> & {
    readonly attemptId: string;
    readonly workflowId: string;
    readonly runId: string | null;
  };
  readonly ProblemDocument: ProblemDocument;
}
