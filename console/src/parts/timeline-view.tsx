import { useState } from 'preact/hooks';
import type { Followed } from '../data/use-events';
import type { Action, Step } from '../timeline/timeline';
import { clock, duration, money } from '../words';
import { StepWords } from './step-words';

/** The newest ones; a person scrolls no further without asking. */
const pageSize = 40;

/** Steps, the newest first: how long each took, what the model said and did, and what became of it. */
export function TimelineView({ attemptId, followed }: { readonly attemptId: string; readonly followed: Followed }) {
  const { timeline, saying, line } = followed;
  const [shown, setShown] = useState(pageSize);
  const { steps } = timeline;
  const longest = Math.max(...steps.map(({ from, to }) => to - from), 1);
  if (steps.length === 0)
    return <p class="empty">{line === 'live' ? 'Nothing has happened yet.' : 'Reading its events …'}</p>;
  return (
    <>
      {saying !== '' && (
        <section class="saying" aria-live="polite" aria-label="What the model says now">
          {saying}
        </section>
      )}
      <ol class="steps" reversed>
        {steps
          .slice(-shown)
          .reverse()
          .map((step) => (
            <StepRow key={step.step} attemptId={attemptId} step={step} longest={longest} />
          ))}
      </ol>
      {steps.length > shown && (
        <button type="button" onClick={() => setShown(shown + pageSize)}>
          {steps.length - shown} earlier steps
        </button>
      )}
    </>
  );
}

interface StepOptions {
  readonly attemptId: string;
  readonly step: Step;
  readonly longest: number;
}

function StepRow({ attemptId, step, longest }: StepOptions) {
  const [open, setOpen] = useState(false);
  const { model } = step;
  return (
    <li class="step">
      <header>
        <h3>{step.step === 0 ? 'Before the first step' : `Step ${step.step}`}</h3>
        <time title={clock(step.from)}>{new Date(step.from).toLocaleTimeString()}</time>
        <meter min={0} max={longest} value={step.to - step.from} aria-label={`Step ${step.step} took`} />
        <span>{duration(step.to - step.from)}</span>
        {model && (
          <span class="dim">
            {model.tokensIn.toLocaleString()} → {model.tokensOut.toLocaleString()} tokens, {money(model.costMicroUsd)}
          </span>
        )}
        {model && (
          <button type="button" class="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? 'Less' : 'Words and arguments'}
          </button>
        )}
      </header>
      {step.actions.map((action) => (
        <ActionRow key={action.index} action={action} />
      ))}
      {step.notes.map(({ sequence, text, tone }) => (
        <p key={sequence} class={`note ${tone}`}>
          {text}
        </p>
      ))}
      {open && <StepWords attemptId={attemptId} step={step.step} />}
    </li>
  );
}

function ActionRow({ action }: { readonly action: Action }) {
  const { tool, from, to, ok, code, tries, facts } = action;
  const tone = ok === undefined ? 'busy' : ok ? 'good' : 'bad';
  return (
    <p class="action">
      <span class={`badge ${tone}`}>{ok === undefined ? 'open' : ok ? 'done' : (code ?? 'failed')}</span>{' '}
      <code>{tool}</code>
      {to !== undefined && <span class="dim"> {duration(to - from)}</span>}
      {tries > 1 && <span class="dim"> try {tries}</span>}
      {facts.map((fact, index) => (
        <span key={`${index}${fact}`} class="fact">
          {fact}
        </span>
      ))}
    </p>
  );
}
