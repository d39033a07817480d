import { z } from 'zod';

/** What a candidate claims beside its summary: the parts of `finish` that checks look at. */
const citation = z.object({ source: z.string(), quote: z.string(), question: z.string().optional() });
const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const reported = z.object({
  database: z.string(),
  sql: z.string(),
  definition: z.string(),
  rows: z.array(z.array(value)),
});
const reportSchema = z.object({
  unknowns: z.array(z.string()).default([]),
  citations: z.array(citation).default([]),
  result: reported.optional(),
});

export type Report = z.output<typeof reportSchema>;
export type Citation = z.output<typeof citation>;
/** A figure as the agent gives it: the query, its rows, and how what they say is defined. */
export type ReportedResult = z.output<typeof reported>;

/** Reads the arguments of `finish`; undefined where they are none. */
export function readReport(args: unknown): Report | undefined {
  const parsed = reportSchema.safeParse(args);
  return parsed.success ? parsed.data : undefined;
}
