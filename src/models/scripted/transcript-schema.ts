import { z } from 'zod';

/** The transcript of a scripted model, as a person writes it. schema/transcript.schema.json is made from this. */

const positive = z.int().positive();
const text = z.string();
const pattern = text.refine(isPattern, { error: 'not a regular expression' });

const times = positive.optional().describe('How often, for each attempt and step; 1 where left out.');
const fault = z
  .union([
    z.strictObject({
      status: z.int().min(400).max(599),
      retryAfter: z.number().min(0).optional().describe('Retry-After header, seconds.'),
      type: text.optional().describe("`type` and `code` of the error's body."),
      times,
    }),
    z.strictObject({ garbage: z.literal(true).describe('An event that is no JSON.'), times }),
    z.strictObject({
      cut: z.int().min(0).describe('The connection ends after so many characters of the answer.'),
      times,
    }),
    z.strictObject({ hang: z.literal(true).describe('Headers, and then nothing.'), times }),
    z.strictObject({ huge: positive.describe('Text of so many bytes before the answer.'), times }),
    z.strictObject({ badArgs: z.literal(true).describe('The arguments of every call are no JSON.'), times }),
    z.strictObject({ delayMs: positive.describe('The answer comes later, once.'), times }),
  ])
  .describe('Instead of the answer, or done to it.');

const call = z.strictObject({
  tool: text.min(1),
  args: z.record(text, z.unknown()).optional(),
  repeat: positive.optional().describe('The call so many times; {index} counts them from 0.'),
});

const usage = z.strictObject({
  promptTokens: z.int().min(0).optional(),
  completionTokens: z.int().min(0).optional(),
  cachedTokens: z.int().min(0).optional(),
});

const answerShape = {
  text: text.optional(),
  calls: z.array(call).optional(),
  finish: z.enum(['stop', 'tool_calls', 'length', 'content_filter']).optional(),
  usage: usage.optional().describe('Given numbers; what is left out is computed from the lengths.'),
  delayMs: positive.optional().describe('The answer always comes so much later.'),
  fault: z
    .union([fault, z.array(fault)])
    .optional()
    .describe('Used up in order; then the answer is given.'),
};
const answer = z.strictObject(answerShape);
const steps = z.record(text.regex(/^[1-9]\d*$/, 'a step is a whole number from 1'), answer);

const entry = z
  .strictObject({
    attempt: text.optional().describe('A task, or an attempt (`task/1`).'),
    from: positive
      .optional()
      .describe(
        'First step; with `from` or `to` the entry is a template: {step}, {step%10}, {#step}, {task}, {attempt}.',
      ),
    to: positive.optional().describe('Last step.'),
    when: z
      .strictObject({
        lastUser: pattern.optional().describe('Regular expression over the newest user message.'),
        lastTool: text.optional().describe('Name of the tool whose result is the newest message.'),
        lastToolResult: pattern.optional().describe('Regular expression over that result.'),
        messages: z.int().min(0).optional().describe('Number of messages, the system message included.'),
      })
      .optional()
      .describe('All that is named must hold.'),
    ...answerShape,
  })
  .describe('An answer for the requests that fit; the first one that fits is given.');

export const transcriptSchema = z
  .strictObject({
    model: text.min(1).optional().describe('The name under which the model answers; `scripted` where left out.'),
    stepHeader: text
      .min(1)
      .optional()
      .describe('The request header that names `<task>/<n>/<step>`; X-Step where left out.'),
    latencyMs: positive.optional().describe('Every answer comes so much later.'),
    steps: steps.optional().describe('Answers by step, for any attempt.'),
    attempts: z.record(text, steps).optional().describe('Answers by task or attempt, then by step; these go first.'),
    entries: z.array(entry).optional(),
    summaries: z
      .array(entry)
      .optional()
      .describe(
        'Answers to requests for a summary of steps that leave the view, which use up nothing of the above; `from` and `to` are the step that is asked for. A short text where none fits.',
      ),
  })
  .describe('What a scripted model answers: by step, else by the first entry that fits.');

export type Transcript = z.output<typeof transcriptSchema>;
export type Answer = z.output<typeof answer>;
export type Entry = z.output<typeof entry>;
export type Fault = z.output<typeof fault>;

function isPattern(source: string): boolean {
  try {
    new RegExp(source);
    return true;
  } catch {
    return false;
  }
}
