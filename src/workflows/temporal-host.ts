import { defineSearchAttributeKey } from '@temporalio/common';
import {
  ActivityCancellationType,
  allHandlersFinished,
  CancellationScope,
  condition,
  makeContinueAsNewFunc,
  scheduleActivity,
  scheduleLocalActivity,
  setCurrentDetails,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { AttemptInput, AttemptResult } from '../protocol/attempt';
import type { Answered, Call, CallKind } from '../protocol/calls';
import { searchAttributeNames } from '../protocol/search-attributes';
import type { Plan } from './calls/plan';
import type { Host, Invocation } from './host';
import { giveUpTimeoutMs, heartbeatTimeoutMs } from './limits';

/** Tries are counted by the workflow, by number; the engine makes none of its own (M2). */
const retry = { maximumAttempts: 1 };
/** The answer is read even where the call was asked to stop, for it may have won. */
const cancellationType = ActivityCancellationType.WAIT_CANCELLATION_COMPLETED;

const stateAttribute = defineSearchAttributeKey(searchAttributeNames.state, 'KEYWORD');

/** The engine's pieces as Temporal has them. */
export function temporalHost(): Host {
  return {
    now: () => Date.now(),
    random: () => Math.random(),
    async sleep(ms, why, early) {
      if (early) await condition(early, ms, { summary: why });
      else await sleep(ms, { summary: why });
    },
    until: (holds) => condition(holds),
    invoke: (kind, call, plan) => invoke(() => send(kind, call, plan)),
    giveUp: (_kind, args) =>
      invoke(() =>
        scheduleActivity('giveUp', [args], {
          activityId: `giveUp${args.call.n}`,
          startToCloseTimeout: giveUpTimeoutMs,
          heartbeatTimeout: heartbeatTimeoutMs,
          retry,
          cancellationType,
          summary: `move ${args.call.n} · ${args.kind}`,
        }),
      ),
    suggestsNewRun: () => workflowInfo().continueAsNewSuggested,
    isPinned,
    versionChanged: () => workflowInfo().targetWorkerDeploymentVersionChanged,
    handlersFinished: () => allHandlersFinished(),
    continueAsNew: (input) => continueOn(input),
    show: (details) => setCurrentDetails(details),
    publish: (state) => upsertSearchAttributes([{ key: stateAttribute, value: state }]),
  };
}

/** Every worker has a build id, of its own bundle; only one that belongs to a deployment is held to it. */
const isPinned = () => (workflowInfo().currentDeploymentVersion?.deploymentName ?? '') !== '';

function continueOn(input: AttemptInput): Promise<never> {
  const next = makeContinueAsNewFunc<(input: AttemptInput) => Promise<AttemptResult>>(
    isPinned() ? { initialVersioningBehavior: 'AUTO_UPGRADE' } : {},
  );
  return next(input);
}

/** A scope of its own, so that one call can be asked to stop and nothing else is. */
function invoke<A extends Answered>(start: () => Promise<A>): Invocation<A> {
  const scope = new CancellationScope();
  return { answered: scope.run(start), abort: () => scope.cancel() };
}

function send<K extends CallKind>(kind: K, call: Call<K>, plan: Plan): Promise<Answered<K>> {
  const startToCloseTimeout = plan.startToCloseMs;
  switch (plan.lane) {
    case 'local': // no summary: a marker is small, and a step is two of them
      return scheduleLocalActivity(kind, [call], { startToCloseTimeout, retry, cancellationType });
    case 'regular':
      return scheduleActivity(kind, [call], {
        // By number, so that whoever knows from the ledger that its worker is dead can end it at once.
        activityId: `m${call.n}`,
        ...(plan.queue !== undefined && { taskQueue: plan.queue }),
        ...(plan.scheduleToStartMs !== undefined && { scheduleToStartTimeout: plan.scheduleToStartMs }),
        startToCloseTimeout,
        heartbeatTimeout: heartbeatTimeoutMs,
        retry,
        cancellationType,
        summary: plan.summary,
      });
  }
}
