import { resolve } from 'node:path';
import { defaultLimits } from '../../src/domain/budget/account';
import { keptStepsMax, visibleStepsMax } from '../../src/domain/context/plan-compaction';
import { createRegistry } from '../../src/tools/registry';
import { quickActTimeoutMs } from '../../src/workflows/limits';
import { callScript } from './support/call-script';

/** Limits that lean on each other stand in files that may not import each other; here is what they lean on. */
interface Limit {
  readonly file: string;
  readonly name: string;
  readonly value: number;
}
const limits = callScript('read-limits.mjs', 'readLimits', resolve(__dirname, '../../src')) as readonly Limit[];

/** Throws where there is no such constant, so that a renamed one takes its relations along. */
function of(file: string, name: string): number {
  const found = limits.find((limit) => limit.file === file && limit.name === name);
  if (!found) throw new Error(`src/${file} has no ${name}`);
  return found.value;
}
const workflow = (name: string) => of('workflows/limits.ts', name);
const processGraceMs = () => of('workspace/process/run-process.ts', 'killGraceMs');
const toolGraceMs = () => of('activities/tool-run.ts', 'deafToolMs');

type Relation = readonly [why: string, less: () => number, more: () => number];

describe.each<[string, readonly Relation[]]>([
  [
    'M9 leases',
    [
      [
        'six renewals come before a lease is gone',
        () => 6 * of('ledger/leases.ts', 'leaseRenewMs'),
        () => of('protocol/lease.ts', 'leaseMs'),
      ],
      [
        'giving a number up outlasts the lease of whoever held it',
        () => of('protocol/lease.ts', 'leaseMs'),
        () => of('activities/give-up.ts', 'waitMaxMs') - 1,
      ],
      [
        'a settle outlasts the lease of whoever else ran',
        () => of('protocol/lease.ts', 'leaseMs'),
        () => of('activities/settle.ts', 'quietMaxMs') - 1,
      ],
    ],
  ],
  [
    'R9.2 heartbeats',
    [
      [
        'six beats come before the server gives a worker up',
        () => 6 * of('activities/activities.ts', 'heartbeatMs'),
        () => workflow('heartbeatTimeoutMs'),
      ],
      [
        'no beat is saved up',
        () => of('worker/run-worker.ts', 'heartbeatThrottleMs'),
        () => of('activities/activities.ts', 'heartbeatMs'),
      ],
    ],
  ],
  [
    'R9.2 a call outlasts what it does',
    [
      [
        'a tool that is asked to stop has ended its processes before it is left alone',
        () => processGraceMs() + 1,
        () => toolGraceMs(),
      ],
      [
        'a deaf tool is left alone and its outcome lands before the call is taken for lost',
        () => toolGraceMs() + of('activities/numbered-call.ts', 'landMaxMs'),
        () => workflow('landGraceMs') - 1,
      ],
      [
        'the longest check, its end, and its evidence fit into a verification',
        () => of('requests/task/task-schema.ts', 'maxCheckTimeoutMs') + workflow('landGraceMs'),
        () => workflow('verifyTimeoutMs') - 1,
      ],
      [
        'a check that says nothing has a limit that it could have named',
        () => of('activities/checks/command.ts', 'commandCheckMs'),
        () => of('requests/task/task-schema.ts', 'maxCheckTimeoutMs'),
      ],
      [
        'a clone and a setup line fit into making a workspace',
        () => of('workspace/git/git.ts', 'remoteTimeoutMs') + of('workspace/layer/run-setup.ts', 'setupTimeoutMs'),
        () => workflow('prepareTimeoutMs') - 1,
      ],
      [
        'whoever waits for a clone elsewhere waits as long as one takes',
        () => of('workspace/git/git.ts', 'remoteTimeoutMs'),
        () => of('workspace/preparing-lock.ts', 'preparingWaitMs'),
      ],
      [
        'and ends before its own call does',
        () => of('workspace/preparing-lock.ts', 'preparingWaitMs'),
        () => workflow('prepareTimeoutMs') - 1,
      ],
      [
        'git in a repository of this machine fits into a commit',
        () => of('workspace/git/git.ts', 'localTimeoutMs'),
        () => workflow('commitTimeoutMs') - 1,
      ],
      [
        'a call that waits for another fails by itself',
        () => of('activities/numbered-call.ts', 'waitMaxMs'),
        () => workflow('ledgerCallTimeoutMs') - 1,
      ],
      [
        'also a settle, which ends processes, waits for others and then looks at open effects',
        () =>
          of('activities/numbered-call.ts', 'waitMaxMs') +
          of('workspace/process/end-processes.ts', 'endDeadlineMs') +
          of('activities/settle.ts', 'quietMaxMs') +
          of('activities/effects/open-effects.ts', 'looksMaxMs') +
          toolGraceMs(),
        () => workflow('settleTimeoutMs') - 1,
      ],
      ['and giving up', () => of('activities/give-up.ts', 'waitMaxMs'), () => workflow('giveUpTimeoutMs') - 1],
    ],
  ],
  [
    'R11.3 stopping',
    [
      [
        "a worktree's holder has ended its processes before another takes it for dead",
        () => processGraceMs() + 1,
        () => of('workspace/worktree-lock.ts', 'worktreeWaitMs'),
      ],
      [
        'a worker that stops lets calls end, and then tools, before it forces anything',
        () => of('worker/run-worker.ts', 'shutdownGraceMs') + toolGraceMs(),
        () => of('worker/run-worker.ts', 'shutdownForceMs'),
      ],
      [
        '`up` waits for its worker longer than that',
        () => of('worker/run-worker.ts', 'shutdownForceMs') + 1,
        () => of('cli/installation.ts', 'workerGraceMs'),
      ],
    ],
  ],
  [
    'R12.4 histories',
    [
      ['a run ends before its 2,000 updates', () => workflow('updatesPerRunMax') + 1, () => 2_000],
      ['a run ends before its 10,000 signals', () => workflow('signalsPerRunMax') + 1, () => 10_000],
      [
        'the longest typed message travels with one call',
        () => of('protocol/messages.ts', 'maxTypedBytes'),
        () => workflow('typedBytesPerCallMax'),
      ],
      [
        'what may be typed may be sent',
        () => of('protocol/messages.ts', 'maxTypedBytes'),
        () => of('requests/messages/message-text.ts', 'maxMessageBytes'),
      ],
      [
        'a name, each of its signs three bytes, fits a summary of 200',
        () => 3 * workflow('shownNameMax') + 20,
        () => 200,
      ],
    ],
  ],
  [
    'R10.3 texts',
    [
      ...['tools/read-file.ts', 'tools/read-artifact.ts'].map(
        (file): Relation => [
          `a page of ${file} is shown whole`,
          () => of(file, 'pageBytes'),
          () => of('domain/context/truncate.ts', 'inlineBytesMax') - 1,
        ],
      ),
      [
        'a search is shown whole',
        () => of('tools/search-text.ts', 'maxOutputLength'),
        () => of('domain/context/truncate.ts', 'inlineBytesMax') - 1,
      ],
      [
        'evidence is shown whole',
        () => of('activities/keep-output.ts', 'evidenceBytesMax'),
        () => of('domain/context/truncate.ts', 'inlineBytesMax'),
      ],
      [
        'of a command more is kept than is shown',
        () => of('domain/context/truncate.ts', 'inlineBytesMax') + 1,
        () => of('workspace/process/run-process.ts', 'maxOutputBytes'),
      ],
      [
        "an answer's envelopes fit beside it",
        () => of('models/call-guard.ts', 'maxAnswerBytes') + 1,
        () => of('models/call-guard.ts', 'maxWireBytes'),
      ],
    ],
  ],
  [
    'R8.5 waiting',
    [
      ['a pause grows', () => workflow('outagePauseMinMs'), () => workflow('outagePauseMaxMs')],
      [
        'so does that after a lost call',
        () => workflow('lostExecutionPauseMs'),
        () => workflow('lostExecutionPauseMaxMs'),
      ],
      [
        'a Retry-After takes a tenth of the run time at most',
        () => of('domain/failure/reactions.ts', 'retryAfterMaxMs'),
        () => defaultLimits.maxRuntimeMs / 10,
      ],
      [
        'our side of an idle connection ends first',
        () => of('models/http-fetch.ts', 'idleSocketMs') + 1,
        () => of('models/scripted/scripted-model.ts', 'keepAliveMs'),
      ],
      [
        'the probe of the service outlasts its activities',
        () => of('temporal/step-time/probe-workflow.ts', 'activityTimeoutMs') + 1,
        () => of('temporal/step-time/step-time.ts', 'probeTimeoutMs'),
      ],
      [
        'a command that says nothing has a limit that it could have named',
        () => of('tools/run-command.ts', 'defaultTimeoutMs'),
        () => of('tools/run-command.ts', 'maxTimeoutMs'),
      ],
    ],
  ],
  [
    'R13.5 the view',
    [
      ['a compaction leaves fewer steps than make it due', () => keptStepsMax + 1, () => visibleStepsMax],
      [
        'a compaction that was of no use is tried again before as many steps as one is made for have been added',
        () => of('activities/compact.ts', 'restStepsMax'),
        () => visibleStepsMax - keptStepsMax,
      ],
    ],
  ],
])('%s', (_group, relations) => {
  test.each(relations)('%s', (_why, less, more) => {
    expect(less()).toBeLessThanOrEqual(more());
  });
});

test('R9.2 a quick tool ends by its own limit before the workflow takes its call for lost', () => {
  const registry = createRegistry();
  const quick = registry
    .names()
    .flatMap((name) => registry.get(name) ?? [])
    .filter((tool) => tool.quick);
  expect(quick.length).toBeGreaterThan(5);
  for (const { name, timeoutMs } of quick)
    expect({ name, fits: timeoutMs <= quickActTimeoutMs }).toEqual({
      name,
      fits: true,
    });
});
