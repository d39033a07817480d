import { audienceOf } from '../../protocol/roles';
import { route } from '../route';

export const sessionRoute = route({
  method: 'GET',
  path: '/v1/session',
  act: 'read',
  summary: 'Who the token says you are, and what you see.',
  answers: 'Session',
  handle: async ({ caller }) => ({ ...caller, audience: audienceOf(caller) }),
});
