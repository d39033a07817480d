import { z } from 'zod';
import { attemptStates } from '../../domain/attempt/states';
import { taskKinds } from '../../domain/contract/contract';
import { effectList } from '../../ledger/queries/effect-list';
import { stepDetails } from '../../ledger/queries/step-details';
import { attemptDocument } from '../../requests/documents/attempt-document';
import { attemptList } from '../../requests/documents/attempt-list';
import { inboxDocument } from '../../requests/documents/inbox-document';
import { findHere } from '../find-here';
import { Problem } from '../problem';
import { limitOf, route } from '../route';

const list = route({
  method: 'GET',
  path: '/v1/attempts',
  act: 'read',
  summary: 'Attempts of the tenant, those that run or wait first, then the newest.',
  query: z.object({
    state: z.enum(attemptStates).optional().describe('Only those in this state.'),
    kind: z.enum(taskKinds).optional().describe('Only those of this kind.'),
    text: z.string().max(200).optional().describe('Only those whose task or goal holds this.'),
    open: z.stringbool().optional().describe('Only those that have not ended.'),
    limit: limitOf(50, 200),
    cursor: z.string().max(200).optional().describe('What the page before gave as `next`.'),
  }),
  answers: 'AttemptPage',
  handle: async ({ session, query }) => attemptList(session, query),
});

const show = route({
  method: 'GET',
  path: '/v1/attempts/{id}',
  act: 'read',
  summary: 'All about one attempt.',
  answers: 'AttemptDocument',
  handle: async (asked) => attemptDocument(asked.session, await findHere(asked)),
});

const step = route({
  method: 'GET',
  path: '/v1/attempts/{id}/steps/{step}',
  act: 'read',
  summary: 'What the model said in a step, what it called with, and what it was answered.',
  answers: 'StepDocument',
  handle: async (asked) => {
    const ref = await findHere(asked);
    const number = z.coerce.number().int().min(1).safeParse(asked.params['step']);
    const details = number.success ? await stepDetails(asked.session.pool, ref, number.data) : undefined;
    if (details === undefined) throw new Problem('not_found', `${ref.id} has no step "${asked.params['step']}".`);
    return details;
  },
});

const effects = route({
  method: 'GET',
  path: '/v1/attempts/{id}/effects',
  act: 'read',
  summary: 'The effect ledger of an attempt, one row an effect.',
  answers: 'EffectList',
  handle: async (asked) => ({ effects: await effectList(asked.session.pool, await findHere(asked)) }),
});

const inbox = route({
  method: 'GET',
  path: '/v1/inbox',
  act: 'read',
  summary: 'All that people of the tenant are waited for.',
  answers: 'Inbox',
  handle: async ({ session }) => ({ pending: await inboxDocument(session) }),
});

export const attemptRoutes = [list, show, step, effects, inbox];
