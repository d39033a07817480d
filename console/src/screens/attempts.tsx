import { useState } from 'preact/hooks';
import type { Answers } from '../../../src/gateway/answers';
import { get } from '../data/api';
import { usePolled } from '../data/use-polled';
import { StateBadge } from '../parts/badge';
import { Loading, Trouble } from '../parts/told';
import { hrefOf } from '../route';
import { ago, money, reasonWord, stateWord } from '../words';

type Page = Answers['AttemptPage'];
const pollMs = 2_000;
const kinds = ['dialog', 'code_change', 'data', 'business_action', 'research'];
const states = [
  'WAITING_FOR_APPROVAL',
  'WAITING_FOR_USER',
  'SUSPENDED',
  'RECONCILING',
  'WAITING_FOR_EFFECT',
  'EXECUTING_TOOL',
  'WAITING_FOR_MODEL',
  'VERIFYING',
  'COMPLETED',
  'FAILED',
  'CANCELLED',
];

export function Attempts() {
  const [text, setText] = useState('');
  const [state, setState] = useState('');
  const [kind, setKind] = useState('');
  const query = new URLSearchParams({
    ...(text && { text }),
    ...(state && { state }),
    ...(kind && { kind }),
  }).toString();
  const { data, error } = usePolled<Page>(`/v1/attempts?${query}`, pollMs);
  const [more, setMore] = useState<{ readonly query: string; readonly page: Page }>();
  const older = more?.query === query ? more.page : undefined;
  const next = older ? older.next : data?.next;
  const readOn = async (cursor: string) => {
    const page = await get<Page>(`/v1/attempts?${query}&cursor=${encodeURIComponent(cursor)}`);
    setMore({ query, page: { ...page, attempts: [...(older?.attempts ?? []), ...page.attempts] } });
  };
  const seen = new Set<string>();
  const shown = [...(data?.attempts ?? []), ...(older?.attempts ?? [])].filter(
    ({ attemptId }) => !seen.has(attemptId) && seen.add(attemptId),
  );
  return (
    <>
      <h1>Attempts</h1>
      <search>
        <form class="filters" onSubmit={(event) => event.preventDefault()}>
          <label>
            Search
            <input
              type="search"
              value={text}
              placeholder="task or goal"
              onInput={(event) => setText(event.currentTarget.value)}
            />
          </label>
          <Choice name="State" value={state} of={states} onChange={setState} />
          <Choice name="Kind" value={kind} of={kinds} onChange={setKind} />
        </form>
      </search>
      <Trouble error={error} />
      {data === undefined && error === undefined && <Loading what="the attempts" />}
      {data !== undefined && shown.length === 0 && (
        <p class="empty">
          {query === '' ? (
            <>
              Nothing has run yet. <a href={hrefOf({ screen: 'start' })}>Start a task</a>, or{' '}
              <code>holdfast start TASK.yaml</code>.
            </>
          ) : (
            'No attempt is like that.'
          )}
        </p>
      )}
      {shown.length > 0 && (
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">Attempt</th>
                <th scope="col">State</th>
                <th scope="col">Waits for</th>
                <th scope="col" class="number">
                  Step
                </th>
                <th scope="col" class="number">
                  Cost
                </th>
                <th scope="col">Begun</th>
                <th scope="col">Said last</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((one) => (
                <tr key={one.attemptId}>
                  <th scope="row">
                    <a href={hrefOf({ screen: 'attempt', attemptId: one.attemptId, tab: 'timeline' })}>
                      {one.attemptId}
                    </a>
                    <span class="dim"> {one.kind}</span>
                  </th>
                  <td>
                    <StateBadge state={one.state} />
                    <span class="dim">{reasonWord(one.state, one.reason)}</span>
                  </td>
                  <td>{one.waitsFor ?? ''}</td>
                  <td class="number">{one.step}</td>
                  <td class="number">{money(one.costMicroUsd)}</td>
                  <td title={one.createdAt}>{ago(one.createdAt)}</td>
                  <td class="cut">{one.lastWord}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {next && (
        <button type="button" onClick={() => void readOn(next)}>
          Older ones
        </button>
      )}
    </>
  );
}

interface ChoiceOptions {
  readonly name: string;
  readonly value: string;
  readonly of: readonly string[];
  readonly onChange: (value: string) => void;
}

function Choice({ name, value, of, onChange }: ChoiceOptions) {
  return (
    <label>
      {name}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">any</option>
        {of.map((one) => (
          <option key={one} value={one}>
            {stateWord(one)}
          </option>
        ))}
      </select>
    </label>
  );
}
