import type { Run } from '../run/run';
import { isEnded, isPaused, type RunState } from '../run/run-state';

/** Markdown for the Temporal UI: the state, what it waits for, and what answers it. `$` would be read as mathematics there. */
export function describe(run: Run): string {
  const { state } = run;
  const reason = isPaused(state) || isEnded(state) ? ` (${state.reason})` : '';
  return [`**${state.kind}**${reason} · turn ${run.turn} · step ${run.step}`, ...waitsFor(state, run.ref.id)].join(
    '\n\n',
  );
}

/** What the attempt waits for and who can answer, for people and for the query `pending`. */
export interface Pending {
  readonly kind: 'message' | 'budget';
  readonly reason: string;
  readonly command: string;
  readonly signal: { readonly name: string; readonly input: Readonly<Record<string, string>> };
}

export function pendingOf(state: RunState, attempt: string): readonly Pending[] {
  switch (state.kind) {
    case 'WAITING_FOR_USER':
      return [
        {
          kind: 'message',
          reason: state.reason,
          command: `holdfast say ${attempt} "…"`,
          signal: { name: 'say', input: { text: '…', by: 'you' } },
        },
      ];
    case 'SUSPENDED':
      return [
        {
          kind: 'budget',
          reason: state.reason,
          command: `holdfast cancel ${attempt}`,
          signal: { name: 'cancel', input: { by: 'you' } },
        },
      ];
    default:
      return [];
  }
}

const wants: Record<Pending['kind'], string> = {
  message: 'It waits for a message.',
  budget: 'A limit of its budget is used up; its work so far is kept.',
};

function waitsFor(state: RunState, attempt: string): string[] {
  return pendingOf(state, attempt).map(
    ({ kind, command, signal }) =>
      `${wants[kind]} Answer with \`${command}\`, or with the signal \`${signal.name}\` and \`${JSON.stringify(signal.input)}\`.`,
  );
}
