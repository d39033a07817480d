import { useState } from 'preact/hooks';
import type { Answers } from '../../../src/gateway/answers';
import { pathOf } from '../data/api';
import { useEvents } from '../data/use-events';
import { usePolled } from '../data/use-polled';
import { StateBadge } from '../parts/badge';
import { Budget } from '../parts/budget';
import { EffectTable } from '../parts/effect-table';
import { Facts } from '../parts/facts';
import { PendingCard, Resume, Say } from '../parts/pending-card';
import { RawEvents } from '../parts/raw-events';
import { TimelineView } from '../parts/timeline-view';
import { Loading, Trouble } from '../parts/told';
import { useAsked } from '../parts/use-asked';
import { go, hrefOf, type Tab, tabs } from '../route';
import { reasonWord } from '../words';
import { keyOf } from './inbox';

type Document = Answers['AttemptDocument'];
const pollMs = 2_000;
const isEnd = (state: string) => ['COMPLETED', 'FAILED', 'CANCELLED'].includes(state);

export function AttemptScreen({ attemptId, tab }: { readonly attemptId: string; readonly tab: Tab }) {
  const { data, error, again } = usePolled<Document>(pathOf(attemptId), pollMs);
  const followed = useEvents(attemptId);
  if (data === undefined) return error ? <Trouble error={error} /> : <Loading what={attemptId} />;
  return (
    <>
      <h1>
        {attemptId} <StateBadge state={data.state} />
        <span class="dim">{reasonWord(data.state, data.reason)}</span>
      </h1>
      <p class="goal">{data.goal}</p>
      <p class="dim" role="status">
        {lines[followed.line]}
      </p>
      <Budget document={data} />
      {data.pending.map((pending) => (
        <PendingCard key={keyOf(pending)} pending={pending} onDone={again} />
      ))}
      <Controls document={data} onDone={again} />
      <nav class="tabs" aria-label="What is shown of it">
        {tabs.map((one) => (
          <a
            key={one}
            href={hrefOf({ screen: 'attempt', attemptId, tab: one })}
            aria-current={one === tab ? 'page' : undefined}
          >
            {one}
          </a>
        ))}
      </nav>
      {tab === 'timeline' && <TimelineView attemptId={attemptId} followed={followed} />}
      {tab === 'effects' && <EffectTable effects={data.effects} />}
      {tab === 'facts' && <Facts document={data} />}
      {tab === 'events' && <RawEvents events={followed.events} />}
    </>
  );
}

const lines = {
  reading: 'Reading its events …',
  live: 'Live.',
  refused: 'The gateway does not let you read its events.',
  away: 'The line is broken. What you see is as it was; it goes on by itself where it broke off.',
};

function Controls({ document, onDone }: { readonly document: Document; readonly onDone: () => void }) {
  const { attemptId, state, kind } = document;
  const [open, setOpen] = useState<'say' | 'resume'>();
  const told = useAsked<unknown>(onDone);
  const forked = useAsked<Answers['Forked']>((answer) =>
    go({ screen: 'attempt', attemptId: answer.attemptId, tab: 'timeline' }),
  );
  const [sure, setSure] = useState(false);
  const ended = isEnd(state);
  const path = pathOf(attemptId);
  const done = () => {
    setOpen(undefined);
    onDone();
  };
  return (
    <section aria-label="What can be done">
      <p class="answers">
        {(!ended || (kind === 'dialog' && state === 'COMPLETED')) && (
          <button
            type="button"
            aria-expanded={open === 'say'}
            onClick={() => setOpen(open === 'say' ? undefined : 'say')}
          >
            Say …
          </button>
        )}
        {!ended && state !== 'SUSPENDED' && (
          <button type="button" disabled={told.busy} onClick={() => void told.ask(`${path}/suspend`, {})}>
            Suspend
          </button>
        )}
        {state === 'SUSPENDED' && (
          <button
            type="button"
            aria-expanded={open === 'resume'}
            onClick={() => setOpen(open === 'resume' ? undefined : 'resume')}
          >
            Resume …
          </button>
        )}
        {document.checkpoints.length > 0 && (
          <button type="button" disabled={forked.busy} onClick={() => void forked.ask(`${path}/fork`, {})}>
            Fork
          </button>
        )}
        {!ended && (
          <button
            type="button"
            class="bad"
            disabled={told.busy}
            onClick={() => (sure ? void told.ask(`${path}/cancel`, {}) : setSure(true))}
          >
            {sure ? 'Cancel it for good' : 'Cancel'}
          </button>
        )}
      </p>
      <Trouble error={told.error ?? forked.error} />
      {open === 'say' && <Say attemptId={attemptId} choices={[]} onDone={done} />}
      {open === 'resume' && <Resume attemptId={attemptId} onDone={done} />}
    </section>
  );
}
