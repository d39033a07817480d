import { z } from 'zod';
import { eventPage } from '../../ledger/queries/event-page';
import { audiences } from '../../protocol/audiences';
import { audienceOf, type Caller } from '../../protocol/roles';
import { viewEvent } from '../../protocol/view-event';
import { findHere } from '../find-here';
import { Problem } from '../problem';
import { type Asked, limitOf, route } from '../route';
import { streamEvents } from '../stream/event-stream';

const sequence = z.coerce.number().int().min(0);
const query = z.object({
  after: sequence.optional().describe('The sequence of the last event that is known; all where left out.'),
  limit: limitOf(100, 500),
  audience: z
    .enum(audiences)
    .optional()
    .describe('See no more than this audience does; what your roles see where left out.'),
});

export const eventsRoute = route({
  method: 'GET',
  path: '/v1/attempts/{id}/events',
  act: 'read',
  summary:
    'The events after a cursor; with `Accept: text/event-stream` also those that come, and `Last-Event-ID` goes on.',
  query,
  answers: 'EventPage',
  handle: async (asked) => {
    const ref = await findHere(asked);
    const audience = lowered(asked.caller, asked.query.audience);
    const { after, limit } = asked.query;
    if (!wantsStream(asked.request.headers.accept)) {
      const page = await eventPage(asked.session.pool, ref, after ?? 0, limit);
      const events = page.flatMap((event) => viewEvent(event, audience) ?? []);
      return { events, next: page.length < limit ? null : (page.at(-1)?.sequence ?? null) };
    }
    const cursor = lastEventId(asked.request.headers['last-event-id']) ?? after ?? 0;
    await stream(asked, ref, { audience, cursor });
    return undefined;
  },
});

async function stream(
  { gateway, caller, request, reply }: Asked<unknown, unknown>,
  ref: Parameters<typeof streamEvents>[1],
  from: Parameters<typeof streamEvents>[2],
): Promise<void> {
  const { tails, ears, stopping, authenticate } = gateway;
  const { authorization } = request.headers;
  const mayRead = async () => {
    try {
      const now = await authenticate(authorization);
      return now.tenant === caller.tenant && audiences.indexOf(audienceOf(now)) >= audiences.indexOf(from.audience);
    } catch (error) {
      if (error instanceof Problem) return false;
      throw error;
    }
  };
  // Fastify's hooks have set headers on its reply; the stream writes the response itself.
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value);
  await streamEvents(reply.raw, ref, from, { tails, ears, mayRead, signal: stopping });
}

function lowered(caller: Caller, asked: (typeof audiences)[number] | undefined) {
  const most = audienceOf(caller);
  if (asked === undefined || audiences.indexOf(asked) <= audiences.indexOf(most)) return asked ?? most;
  throw new Problem(
    'forbidden',
    `The token of ${caller.principal} sees what a ${most} sees, and not what a ${asked} does.`,
  );
}

const wantsStream = (accept: string | undefined) => /\btext\/event-stream\b/i.test(accept ?? '');

function lastEventId(header: string | string[] | undefined): number | undefined {
  if (header === undefined) return undefined;
  const parsed = z
    .string()
    .regex(/^\d{1,9}$/)
    .safeParse(header);
  if (!parsed.success) throw new Problem('invalid', 'Last-Event-ID is the sequence of an event, a whole number.');
  return Number(parsed.data);
}
