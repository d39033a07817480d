import { attemptStatus } from '../../ledger/queries/attempt-status';
import { eventPage } from '../../ledger/queries/event-page';
import type { Audience } from '../../protocol/audiences';
import { viewEvent } from '../../protocol/view-event';
import { find } from '../../requests/naming/find';
import type { CommonOptions } from '../common-options';
import { type ExitCode, exitCodes } from '../exit-codes';
import { note, say } from '../output';
import { withSession } from '../session';

export interface EventsOptions extends CommonOptions {
  readonly audience: Audience;
  /** Sequence of the last event already seen. */
  readonly from: number;
}

/** Read at once; an attempt of a thousand steps has some ten thousand events. */
const pageSize = 500;

/** The events of an attempt up to now, as one audience sees them (R10.4): a line each. */
export function events(given: string, { audience, from, json, ...options }: EventsOptions): Promise<ExitCode> {
  return withSession({ ...options, ...(json !== undefined && { json }) }, async ({ pool, ...session }) => {
    const ref = await find({ pool, ...session }, given);
    const { sequence: last } = await attemptStatus(pool, ref);
    let shown = 0;
    for (let cursor = from; cursor < last; ) {
      const page = await eventPage(pool, ref, cursor, pageSize);
      for (const event of page) {
        const view = viewEvent(event, audience);
        if (!view) continue;
        shown += 1;
        say(
          json
            ? JSON.stringify(view)
            : `${view.sequence}\t${view.timestamp}\t${view.event_type}\t${JSON.stringify(view.payload)}`,
        );
      }
      cursor = page.at(-1)?.sequence ?? last;
    }
    if (!json && shown === 0) note(`${ref.id} has no event after ${from} that a ${audience} sees.`);
    return exitCodes.done;
  });
}
