import {
  CancellationScope,
  currentUpdateInfo,
  defineQuery,
  defineSignal,
  defineUpdate,
  setDefaultSignalHandler,
  setHandler,
} from '@temporalio/workflow';
import { signalNames, type UpdateReply, upgradeSignal } from '../../protocol/messages';
import type { Run } from '../run/run';
import { pending, status, taskProgress } from './queries';
import { receiveNativeCancel, receiveSignal, receiveUpdate } from './receive';

const answer = '{"actionId": "…", "by": "you", "binding": "…", "reason": "…"}';
const descriptions: Record<keyof typeof signalNames, string> = {
  say: 'A message to the agent: {"text": "…", "by": "you"}; with "revise": true it revises the goal',
  cancel: 'Ends the attempt, with all that it runs: {"by": "you", "reason": "…"}',
  approve: `Lets the action that waits go on, as it is shown: ${answer}`,
  deny: `Refuses the action that waits; the model is told so: ${answer}`,
  suspend: 'Stops the attempt where it is, to be resumed: {"by": "you"}',
  resume:
    'Goes on from where it was suspended, with a higher limit where one is given: {"by": "you", "budget": {"maxTurns": 60}}',
  reconcile:
    'Says what became of an effect: {"actionId": "…", "outcome": "committed" or "not_committed", "by": "you", "evidence": "…"}',
  effectSettled:
    'A job has ended, from the system that did it: {"actionId": "…", "token": "…", "outcome": "succeeded" or "failed", "output": "…"}',
  childEnded: 'A child has ended; from the runtime alone, which has stored it before: {"messageId": "…"}',
};

/**
 * Sets every handler of the workflow. The default one comes first: it is handed all that came before the handlers did, in
 * the order of history, on which the ids of hand-typed messages depend (M4).
 */
export function handle(run: Run): void {
  setDefaultSignalHandler((name, ...args) => receiveSignal(run, name, args[0]));
  for (const name of Object.values(signalNames)) {
    const description = descriptions[name];
    setHandler(defineSignal<[unknown]>(name), (argument) => receiveSignal(run, name, argument), { description });
    if (name === signalNames.effectSettled || name === signalNames.childEnded) continue; // nobody waits for an answer to it
    setHandler(defineUpdate<UpdateReply, [unknown]>(name), (argument) => update(run, name, argument), { description });
  }
  setHandler(defineSignal<[unknown]>(upgradeSignal), (argument) => receiveSignal(run, upgradeSignal, argument), {
    description: 'Goes on in a new run, on the version of the worker that takes new runs, at the next safe place: {}',
  });
  setHandler(defineQuery('status'), () => status(run));
  setHandler(defineQuery('pending'), () => pending(run));
  setHandler(defineQuery('taskState'), () => taskProgress(run));

  CancellationScope.current().cancelRequested.catch(() => receiveNativeCancel(run));
}

/** Returns once an answer has named the message (M4). */
async function update(run: Run, name: string, argument: unknown): Promise<UpdateReply> {
  const info = currentUpdateInfo();
  if (!info) throw new Error('An update handler runs outside an update');
  const id = receiveUpdate(run, name, argument, info.id);
  return await run.mailbox.named(id);
}
