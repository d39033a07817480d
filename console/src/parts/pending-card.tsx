import { useState } from 'preact/hooks';
import type { Answers } from '../../../src/gateway/answers';
import { pathOf } from '../data/api';
import { hrefOf } from '../route';
import { ago, clock, pretty } from '../words';
import { Trouble } from './told';
import { useAsked } from './use-asked';

type Pending = Answers['Inbox']['pending'][number];
type Of<Kind extends Pending['kind']> = Extract<Pending, { kind: Kind }>;

interface CardOptions<P extends Pending = Pending> {
  readonly pending: P;
  readonly onDone: () => void;
}

/** What an attempt waits for, with all that an answer is about, and what answers it. */
export function PendingCard({ pending, onDone }: CardOptions) {
  const attempt = hrefOf({ screen: 'attempt', attemptId: pending.attemptId, tab: 'timeline' });
  return (
    <article class="card" aria-label={`${titles[pending.kind]} of ${pending.attemptId}`}>
      <header>
        <h2>{titles[pending.kind]}</h2>
        <a href={attempt}>{pending.attemptId}</a>
      </header>
      {pending.kind !== 'approval' && <p>{pending.text}</p>}
      {pending.advice && <p class="dim">{pending.advice}</p>}
      <Answer pending={pending} onDone={onDone} />
      <p class="dim">
        By command line: <code>{pending.command}</code>
      </p>
    </article>
  );
}

const titles: Readonly<Record<Pending['kind'], string>> = {
  approval: 'Approval',
  question: 'Question',
  message: 'A word',
  reconcile: 'Did it happen?',
  budget: 'A limit is used up',
  suspended: 'Suspended',
  effect: 'Another effect',
  job: 'A job',
};

function Answer({ pending, onDone }: CardOptions) {
  switch (pending.kind) {
    case 'approval':
      return <Approval pending={pending} onDone={onDone} />;
    case 'reconcile':
      return <Reconcile pending={pending} onDone={onDone} />;
    case 'question':
      return <Say attemptId={pending.attemptId} choices={pending.choices ?? []} onDone={onDone} />;
    case 'message':
      return <Say attemptId={pending.attemptId} choices={[]} onDone={onDone} />;
    case 'budget':
    case 'suspended':
      return <Resume attemptId={pending.attemptId} onDone={onDone} />;
    case 'effect':
    case 'job':
      return null;
  }
}

/** Exactly what is bound (R5.3): another request than the one that was looked at is refused by the gateway. */
function Approval({ pending, onDone }: CardOptions<Of<'approval'>>) {
  const {
    actionId,
    binding,
    tool,
    target,
    args,
    rule,
    policy,
    approvers,
    needed,
    answers,
    channel,
    askedAt,
    expiresAt,
  } = pending;
  const [reason, setReason] = useState('');
  const { ask, busy, error } = useAsked<Answers['Answered']>(onDone);
  const answer = (kind: 'approve' | 'deny') =>
    ask(`${pathOf(pending.attemptId)}/${kind}`, { actionId, binding, ...(reason && { reason }) });
  return (
    <>
      <dl class="facts">
        <dt>Tool</dt>
        <dd>
          <code>{tool}</code>
        </dd>
        <dt>Target</dt>
        <dd>
          <code>{target}</code>
        </dd>
        <dt>Arguments</dt>
        <dd>
          <pre>{args === null ? 'They are long; holdfast show has them.' : pretty(args)}</pre>
        </dd>
        <dt>Rule</dt>
        <dd>
          {rule} <span class="dim">of {policy.slice(0, 12)}</span>
        </dd>
        <dt>Who</dt>
        <dd>
          {needed} of {approvers.join(' or ') || 'anybody'}
          {channel === 'authenticated' && ', signed in'}
          {answers.map(({ by, answer: said }) => (
            <span key={by}>
              {' '}
              · {by}: {said}
            </span>
          ))}
        </dd>
        <dt>Asked</dt>
        <dd>
          {ago(askedAt)}; expires {clock(expiresAt)}
        </dd>
        <dt>Binding</dt>
        <dd>
          <code class="hash">{binding}</code>
        </dd>
      </dl>
      <label>
        Reason <span class="dim">(may be left out)</span>
        <input value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
      </label>
      <Trouble error={error} />
      <p class="answers">
        <button type="button" disabled={busy} onClick={() => void answer('approve')}>
          Approve
        </button>
        <button type="button" class="bad" disabled={busy} onClick={() => void answer('deny')}>
          Deny
        </button>
      </p>
    </>
  );
}

function Reconcile({ pending, onDone }: CardOptions<Of<'reconcile'>>) {
  const { actionId, attemptId, tool, target, key, args, sentAt } = pending;
  const [evidence, setEvidence] = useState('');
  const { ask, busy, error } = useAsked<Answers['Told']>(onDone);
  const settle = (outcome: 'committed' | 'not_committed') =>
    ask(`${pathOf(attemptId)}/reconcile`, { actionId, outcome, evidence });
  return (
    <>
      <dl class="facts">
        <dt>Tool</dt>
        <dd>
          <code>{tool}</code>
        </dd>
        <dt>Target</dt>
        <dd>
          <code>{target}</code>
        </dd>
        <dt>Arguments</dt>
        <dd>
          <pre>{args === null ? 'They are long; holdfast show has them.' : pretty(args)}</pre>
        </dd>
        <dt>Key</dt>
        <dd>
          <code class="hash">{key}</code>
        </dd>
        <dt>Sent</dt>
        <dd>{sentAt === null ? 'nobody knows when' : clock(sentAt)}</dd>
      </dl>
      <label>
        What you looked at
        <input value={evidence} required onInput={(event) => setEvidence(event.currentTarget.value)} />
      </label>
      <Trouble error={error} />
      <p class="answers">
        <button type="button" disabled={busy || evidence === ''} onClick={() => void settle('committed')}>
          It happened
        </button>
        <button type="button" disabled={busy || evidence === ''} onClick={() => void settle('not_committed')}>
          It did not happen
        </button>
      </p>
    </>
  );
}

export interface SayOptions {
  readonly attemptId: string;
  readonly choices: readonly string[];
  readonly onDone: () => void;
}

export function Say({ attemptId, choices, onDone }: SayOptions) {
  const [text, setText] = useState('');
  const { ask, busy, error } = useAsked<Answers['Said']>(() => {
    setText('');
    onDone();
  });
  const say = (words: string) => ask(`${pathOf(attemptId)}/say`, { text: words });
  return (
    <form
      class="say"
      onSubmit={(event) => {
        event.preventDefault();
        void say(text);
      }}
    >
      {choices.length > 0 && (
        <p class="answers">
          {choices.map((choice) => (
            <button key={choice} type="button" disabled={busy} onClick={() => void say(choice)}>
              {choice}
            </button>
          ))}
        </p>
      )}
      <label>
        {choices.length > 0 ? 'Or in your words' : 'Your words'}
        <textarea rows={2} required value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <Trouble error={error} />
      <button type="submit" disabled={busy || text.trim() === ''}>
        Say
      </button>
    </form>
  );
}

const limits = [
  'maxCostUsd',
  'maxTokens',
  'maxTurns',
  'maxToolCalls',
  'maxRuntimeSeconds',
  'maxRepairs',
  'maxSameToolErrors',
] as const;

/** Goes on, with one limit raised where a figure is given. */
export function Resume({ attemptId, onDone }: Omit<SayOptions, 'choices'>) {
  const [limit, setLimit] = useState<string>(limits[0]);
  const [amount, setAmount] = useState('');
  const { ask, busy, error } = useAsked<Answers['Resumed']>(onDone);
  const resume = (event: SubmitEvent) => {
    event.preventDefault();
    void ask(`${pathOf(attemptId)}/resume`, amount === '' ? {} : { budget: { [limit]: Number(amount) } });
  };
  return (
    <form class="filters" onSubmit={resume}>
      <label>
        Raise
        <select value={limit} onChange={(event) => setLimit(event.currentTarget.value)}>
          {limits.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <label>
        To <span class="dim">(may be left out)</span>
        <input
          type="number"
          min="0"
          step="any"
          value={amount}
          onInput={(event) => setAmount(event.currentTarget.value)}
        />
      </label>
      <Trouble error={error} />
      <button type="submit" disabled={busy}>
        Resume
      </button>
    </form>
  );
}
