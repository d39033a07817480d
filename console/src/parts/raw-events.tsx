import { useState } from 'preact/hooks';
import type { WireEvent } from '../../../src/protocol/wire-event';

/** A browser is quick with so many rows; the others are asked for. */
const pageSize = 200;

export function RawEvents({ events }: { readonly events: readonly WireEvent[] }) {
  const [shown, setShown] = useState(pageSize);
  const newest = events.slice(-shown).reverse();
  return (
    <>
      <div class="scroll">
        <table class="events">
          <thead>
            <tr>
              <th scope="col" class="number">
                #
              </th>
              <th scope="col">Time</th>
              <th scope="col">Event</th>
              <th scope="col">Payload</th>
            </tr>
          </thead>
          <tbody>
            {newest.map(({ sequence, timestamp, event_type, payload }) => (
              <tr key={sequence}>
                <td class="number">{sequence}</td>
                <td>{timestamp.slice(11, 23)}</td>
                <th scope="row">{event_type}</th>
                <td>
                  <code>{JSON.stringify(payload)}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {events.length > shown && (
        <button type="button" onClick={() => setShown(shown + pageSize)}>
          {events.length - shown} older ones
        </button>
      )}
    </>
  );
}
