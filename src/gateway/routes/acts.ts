import { z } from 'zod';
import { budgetRaise } from '../../protocol/messages';
import { mayAct } from '../../protocol/roles';
import { answerApproval } from '../../requests/acts/answer-approval';
import { cancelAttempt } from '../../requests/acts/cancel-attempt';
import { forkFrom } from '../../requests/acts/fork-from';
import { reconcileEffect } from '../../requests/acts/reconcile-effect';
import { resumeAttempt } from '../../requests/acts/resume-attempt';
import { reviseGoal } from '../../requests/acts/revise-goal';
import { sayInThread } from '../../requests/acts/say-in-thread';
import { startTask } from '../../requests/acts/start-task';
import { suspendAttempt } from '../../requests/acts/suspend-attempt';
import { findHere } from '../find-here';
import { Problem } from '../problem';
import { route } from '../route';
import { taskOf } from '../task-of';

const reason = z.string().max(2_000).optional();
const answerBody = z.strictObject({
  actionId: z.string().max(200).describe('As the inbox has it.'),
  binding: z
    .string()
    .max(200)
    .describe('What was looked at, as the inbox has it: another request under the same action is not meant.'),
  reason,
});

const answer = (kind: 'approve' | 'deny') =>
  route({
    method: 'POST',
    path: `/v1/attempts/{id}/${kind}`,
    act: kind,
    summary: kind === 'approve' ? 'Yes to what an action is about to do.' : 'No to what an action is about to do.',
    body: answerBody,
    answers: 'Answered',
    handle: async (asked) => {
      const { actionId: action, binding, reason } = asked.body;
      const {
        ref,
        request: _,
        ...told
      } = await answerApproval(asked.session, await findHere(asked), {
        kind,
        action,
        binding,
        reason,
      });
      return { attemptId: ref.id, ...told, outcome: told.outcome?.kind ?? null };
    },
  });

export const actRoutes = [
  route({
    method: 'POST',
    path: '/v1/attempts',
    act: 'start',
    summary: "Starts a task's next attempt, or finds the one that the same start made before.",
    body: z.strictObject({
      task: z
        .union([z.string().min(1), z.record(z.string(), z.unknown())])
        .describe('A task file (schema/task.schema.json), as YAML or JSON text or as an object.'),
      input: z.string().optional().describe('Instead of the first message of the task file.'),
      again: z
        .boolean()
        .optional()
        .describe('Another attempt also where the task is completed under the same contract.'),
      new: z.boolean().optional().describe('Another attempt beside one that runs.'),
      attempts: z
        .int()
        .min(1)
        .max(8)
        .optional()
        .describe('So many side by side; the first that meets the contract is the result.'),
    }),
    answers: 'Started',
    handle: async ({ session, gateway, body }) => {
      const { task, input, again, new: beside, attempts } = body;
      const file = await taskOf(session, gateway, task);
      const begun = await startTask(
        session,
        { ...file, ...(input !== undefined && { input }) },
        {
          ...(again !== undefined && { again }),
          ...(beside !== undefined && { beside }),
          ...(attempts !== undefined && { attempts }),
        },
      );
      const { ref, state, reason: why } = begun.attempt;
      return {
        attemptId: ref.id,
        taskId: file.task,
        workflowId: begun.workflowId,
        runId: begun.runId ?? null,
        outcome: begun.kind,
        state,
        reason: why,
        attempts: (begun.race ?? [begun.attempt]).map((one) => one.ref.id),
      };
    },
  }),
  answer('approve'),
  answer('deny'),
  route({
    method: 'POST',
    path: '/v1/attempts/{id}/say',
    act: 'say',
    summary: 'A message of the user: an answer, a word, a revision of the goal, or the next turn.',
    body: z.strictObject({
      text: z.string().min(1),
      revise: z.boolean().optional().describe('It revises the goal.'),
    }),
    answers: 'Said',
    handle: async (asked) => {
      const { text, revise = false } = asked.body;
      const named = await findHere(asked);
      if (revise)
        return { attemptId: named.id, as: 'named' as const, ...(await reviseGoal(asked.session, named, { text })) };
      const { ref, ...told } = await sayInThread(asked.session, named, { text });
      return { attemptId: ref.id, ...told };
    },
  }),
  route({
    method: 'POST',
    path: '/v1/attempts/{id}/cancel',
    act: 'cancel',
    summary: 'Asks it to end; it is CANCELLED when nothing of it runs any more.',
    body: z.strictObject({ reason }),
    answers: 'Sent',
    handle: async (asked) => {
      const ref = await findHere(asked);
      const { reason: why } = asked.body;
      return {
        attemptId: ref.id,
        ...(await cancelAttempt(asked.session, ref, why === undefined ? {} : { reason: why })),
      };
    },
  }),
  route({
    method: 'POST',
    path: '/v1/attempts/{id}/suspend',
    act: 'suspend',
    summary: 'Asks it to stop where it is.',
    body: z.strictObject({}),
    answers: 'Told',
    handle: async (asked) => {
      const ref = await findHere(asked);
      return { attemptId: ref.id, ...(await suspendAttempt(asked.session, ref)) };
    },
  }),
  route({
    method: 'POST',
    path: '/v1/attempts/{id}/resume',
    act: 'resume',
    summary: 'Lets a suspended attempt go on; raising a limit is for operators.',
    body: z.strictObject({ budget: budgetRaise.optional().describe('Limits to raise, by their names in task files.') }),
    answers: 'Resumed',
    handle: async (asked) => {
      const { budget } = asked.body;
      if (budget !== undefined && !mayAct(asked.caller, 'raise'))
        throw new Problem('forbidden', 'Raising a limit needs the role operator.');
      const ref = await findHere(asked);
      const { reached, ...told } = await resumeAttempt(
        asked.session,
        ref,
        budget === undefined ? {} : { budget: budget },
      );
      return { attemptId: ref.id, ...told, state: reached?.state ?? null };
    },
  }),
  route({
    method: 'POST',
    path: '/v1/attempts/{id}/reconcile',
    act: 'reconcile',
    summary: 'Says whether an effect of which nobody here can tell has happened.',
    body: z.strictObject({
      actionId: z.string().max(200),
      outcome: z.enum(['committed', 'not_committed']),
      evidence: z.string().min(1).describe('What was looked at.'),
    }),
    answers: 'Told',
    handle: async (asked) => {
      const { actionId: action, outcome, evidence } = asked.body;
      const ref = await findHere(asked);
      return { attemptId: ref.id, ...(await reconcileEffect(asked.session, ref, { action, outcome, evidence })) };
    },
  }),
  route({
    method: 'POST',
    path: '/v1/attempts/{id}/fork',
    act: 'fork',
    summary: 'Begins a new attempt of the same task from a checkpoint.',
    body: z.strictObject({
      at: z.string().max(200).optional().describe('A checkpoint; the newest one where left out.'),
    }),
    answers: 'Forked',
    handle: async (asked) => {
      const { attempt, checkpoint, took, run } = await forkFrom(asked.session, await findHere(asked), asked.body);
      return { attemptId: attempt.ref.id, checkpoint, took, workflowId: run.workflowId, runId: run.runId ?? null };
    },
  }),
];
