import type { Answers } from '../../../src/gateway/answers';
import { usePolled } from '../data/use-polled';
import { Loading, Trouble } from '../parts/told';
import { dollars } from '../words';

const pollMs = 10_000;

export function Cost() {
  const { data, error } = usePolled<Answers['Cost']>('/v1/cost?days=30', pollMs);
  const most = Math.max(...(data?.days ?? []).map(({ costUsd }) => costUsd), 0);
  return (
    <>
      <h1>Cost</h1>
      <Trouble error={error} />
      {data === undefined && error === undefined && <Loading what="what it cost" />}
      {data?.days.length === 0 && <p class="empty">No model was called in the last 30 days.</p>}
      {data !== undefined && data.days.length > 0 && (
        <div class="scroll">
          <table>
            <caption>
              The tenant {data.tenant}, 30 days by UTC:{' '}
              {dollars(data.days.reduce((sum, { costUsd }) => sum + costUsd, 0))}
            </caption>
            <thead>
              <tr>
                <th scope="col">Day</th>
                <th scope="col" class="number">
                  Cost
                </th>
                <th scope="col" class="number">
                  Attempts
                </th>
                <th scope="col" class="number">
                  Calls
                </th>
                <th scope="col" class="wide">
                  Beside the dearest day
                </th>
              </tr>
            </thead>
            <tbody>
              {data.days.map(({ day, costUsd, attempts, calls }) => (
                <tr key={day}>
                  <th scope="row">{day}</th>
                  <td class="number">{dollars(costUsd)}</td>
                  <td class="number">{attempts}</td>
                  <td class="number">{calls}</td>
                  <td>
                    <meter min={0} max={most || 1} value={costUsd} aria-label={`Cost of ${day}`} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}
