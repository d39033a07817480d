import { z } from 'zod';

/** A plan longer than this is no longer read, by model or person. */
const planStepsMax = 50;
/** Of a step, in characters: a title is one line of the view, in every step from here on. */
const titleLengthMax = 200;
/** In characters: what does not fit a page belongs in a file of the workspace. */
const noteLengthMax = 2_000;

/** What `update_plan` is called with, and the structured task state that it replaces (R13.1). */
export const taskStateSchema = z.strictObject({
  steps: z
    .array(
      z.strictObject({
        id: z.string().min(1).max(64),
        title: z.string().min(1).max(titleLengthMax),
        status: z.enum(['pending', 'doing', 'done', 'dropped']),
      }),
    )
    .min(1)
    .max(planStepsMax)
    .refine((steps) => new Set(steps.map((step) => step.id)).size === steps.length, 'step ids must be unique'),
  note: z.string().max(noteLengthMax).optional(),
});
export type TaskState = z.infer<typeof taskStateSchema>;

/** A plan as its row has it; undefined where it is none. */
export function readTaskState(body: unknown): TaskState | undefined {
  return taskStateSchema.safeParse(body).data;
}

const marks = { pending: '[ ]', doing: '[>]', done: '[x]', dropped: '[-]' } as const;

export const planLine = ({ id, title, status }: TaskState['steps'][number]) => `${marks[status]} ${id}: ${title}`;

/** The plan as the model reads it. */
export function planText(state: TaskState): string {
  const lines = state.steps.map(planLine);
  return [...lines, ...(state.note ? [`Note: ${state.note}`] : [])].join('\n');
}

/** The step being worked on, as the repeat fingerprint names it (R7.1); empty where the plan names none. */
export function currentPlanStep(state: TaskState | undefined): string {
  return state?.steps.find((step) => step.status === 'doing')?.id ?? '';
}

/** Steps that are done (R7.2). */
export function planDone(state: TaskState | undefined): number {
  return state?.steps.filter((step) => step.status === 'done').length ?? 0;
}
