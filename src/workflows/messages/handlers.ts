import {
  CancellationScope,
  currentUpdateInfo,
  defineQuery,
  defineSignal,
  defineUpdate,
  setDefaultSignalHandler,
  setHandler,
} from '@temporalio/workflow';
import { signalNames, type UpdateReply } from '../../protocol/messages';
import type { Run } from '../run/run';
import { pending, status, taskProgress } from './queries';
import { receiveNativeCancel, receiveSignal, receiveUpdate } from './receive';

const descriptions: Record<keyof typeof signalNames, string> = {
  say: 'A message to the agent: {"text": "…", "by": "you"}',
  cancel: 'Ends the attempt, with all that it runs: {"by": "you", "reason": "…"}',
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
    setHandler(defineUpdate<UpdateReply, [unknown]>(name), (argument) => update(run, name, argument), { description });
  }
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
