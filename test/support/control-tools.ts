import { z } from 'zod';
import type { ToolDefinition } from '../../src/activities/ports';

const control = (name: string, shape: z.ZodObject): ToolDefinition => ({
  name,
  description: `Control tool ${name}.`,
  schema: z.toJSONSchema(shape),
  validate: (args) => {
    const parsed = shape.safeParse(args);
    return parsed.success ? undefined : parsed.error.message;
  },
  quick: true,
  timeoutMs: 1_000,
  effect: 'control',
});

/** The runtime's own tools by their names and arguments (interface.md), for tests that need nothing of a workspace. */
export const controlTools: readonly ToolDefinition[] = [
  control(
    'finish',
    z.strictObject({
      summary: z.string(),
      status: z.enum(['done', 'blocked', 'refused']),
      unknowns: z.string().optional(),
    }),
  ),
  control('ask_user', z.strictObject({ question: z.string(), choices: z.array(z.string()).optional() })),
  control('update_plan', z.looseObject({ steps: z.array(z.unknown()) })),
];
