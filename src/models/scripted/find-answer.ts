import type { RequestView } from './request-view';
import type { Answer, Entry, Transcript } from './transcript-schema';

export interface FoundAnswer {
  readonly answer: Answer;
  /** Where it stands in the transcript, for the log and for what faults remember. */
  readonly place: string;
  /** Placeholders in it are filled. */
  readonly template: boolean;
}

/** The answer to a request: that of its step, else of the first entry that fits. A pure function (no memory, no clock). */
export function findAnswer(transcript: Transcript, request: RequestView): FoundAnswer | undefined {
  const { attempt, step } = request;
  if (request.asksForSummary) return findSummary(transcript, request);
  if (attempt !== undefined && step !== undefined) {
    for (const name of [attempt, taskOf(attempt)]) {
      const answer = transcript.attempts?.[name]?.[step];
      if (answer !== undefined) return { answer, place: `attempts.${name}.${step}`, template: false };
    }
    const answer = transcript.steps?.[step];
    if (answer !== undefined) return { answer, place: `steps.${step}`, template: false };
  }
  return findEntry(transcript.entries, request, 'entries');
}

/** Most transcripts say nothing of summaries: what they are about goes on with this one, which is never used up. */
const plainSummary: Answer = {
  text: 'Up to step {step} the work went as the plan had it, and nothing stands against it.',
};

const findSummary = (transcript: Transcript, request: RequestView): FoundAnswer =>
  findEntry(transcript.summaries, request, 'summaries') ?? { answer: plainSummary, place: 'summary', template: true };

function findEntry(entries: readonly Entry[] = [], request: RequestView, list: string): FoundAnswer | undefined {
  const index = entries.findIndex((entry) => fits(entry, request));
  const answer = entries[index];
  if (!answer) return undefined;
  return { answer, place: `${list}[${index}]`, template: answer.from !== undefined || answer.to !== undefined };
}

export function taskOf(attempt: string): string {
  return attempt.split('/')[0] ?? attempt;
}

function fits(entry: Entry, { attempt, step, conversation }: RequestView): boolean {
  if (entry.attempt !== undefined && (attempt === undefined || ![attempt, taskOf(attempt)].includes(entry.attempt)))
    return false;
  if (entry.from !== undefined && !(step !== undefined && step >= entry.from)) return false;
  if (entry.to !== undefined && !(step !== undefined && step <= entry.to)) return false;
  if (entry.when === undefined) return true;

  const { lastUser, lastTool, lastToolResult, messages } = entry.when;
  const said = conversation();
  if (lastUser !== undefined && !new RegExp(lastUser).test(said.lastUser)) return false;
  if (lastTool !== undefined && said.lastTool !== lastTool) return false;
  if (lastToolResult !== undefined && !new RegExp(lastToolResult).test(said.lastToolResult)) return false;
  return messages === undefined || said.messages === messages;
}
