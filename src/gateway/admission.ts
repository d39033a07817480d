import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Act, type Caller, mayAct, rolesFor } from '../protocol/roles';
import type { Gateway } from './gateway';
import { Problem } from './problem';

/** Lets a caller in, or throws Problem. */
export type Admit = (request: FastifyRequest, act: Act) => Promise<Caller>;

/** A person who mistypes tries a few times; what tries tokens is not to load the ledger with it. */
const failuresPerMinute = 60;

/** Who it is, whether they may, and whether they ask too often: by principal, and by address where nobody knows who it is. */
export function createAdmission(
  server: FastifyInstance,
  { authenticate }: Pick<Gateway, 'authenticate'>,
  requestsPerMinute: number,
): Admit {
  const callers = new WeakMap<FastifyRequest, Caller>();
  const timeWindow = '1 minute';
  const failures = server.createRateLimit({ max: failuresPerMinute, timeWindow });
  const requests = server.createRateLimit({
    max: requestsPerMinute,
    timeWindow,
    keyGenerator: (request) => JSON.stringify([callers.get(request)?.tenant, callers.get(request)?.principal]),
  });
  const count = async (limit: typeof requests, request: FastifyRequest) => {
    const counted = await limit(request);
    if (counted.isAllowed || !counted.isExceeded) return;
    throw new Problem('too_many', 'Too many requests.', {
      next: `Send it again in ${Math.ceil(counted.ttl / 1_000)} s.`,
    });
  };

  return async (request, act) => {
    let caller: Caller;
    try {
      caller = await authenticate(request.headers.authorization);
    } catch (error) {
      if (error instanceof Problem) await count(failures, request);
      throw error;
    }
    callers.set(request, caller);
    await count(requests, request);
    if (mayAct(caller, act)) return caller;
    const needed = rolesFor(act).join(' or ');
    throw new Problem(
      'forbidden',
      `This needs the role ${needed}; the token of ${caller.principal} has ${caller.roles.join(', ')}.`,
    );
  };
}
