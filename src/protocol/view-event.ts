import { type Audience, audiences, type Seen, seenBy } from './audiences';
import type { WireEvent } from './wire-event';

const rank = (audience: Audience) => audiences.indexOf(audience);

/**
 * An event as an audience sees it: its payload holds the fields that this audience may see and no others. Undefined where it does not
 * see the event; its place in the sequence stays, so a cursor goes on over it (R10.4).
 */
export function viewEvent(event: WireEvent, audience: Audience): WireEvent | undefined {
  const { event: least, fields }: Seen = seenBy[event.event_type];
  if (rank(audience) < rank(least)) return undefined;
  // What was written for users is for models as far as the table says.
  if (event.visibility_class !== 'user' && rank(audience) < rank(event.visibility_class)) return undefined;
  const payload = Object.fromEntries(
    // A field that the table does not know was written by a newer Holdfast: for auditors.
    Object.entries(event.payload).filter(([name]) => rank(audience) >= rank(fields[name] ?? 'auditor')),
  );
  return { ...event, payload: payload as WireEvent['payload'] };
}
