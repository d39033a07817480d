import { z } from 'zod';
import type { WrittenLimit } from '../domain/budget/limit-table';
import { costPeriods } from '../domain/budget/tenant-cost';
import { closedObject } from '../located-yaml/closed-object';
import { namePattern } from '../protocol/ids';
import { databasesSchema } from './databases';
import { gatewaySchema } from './gateway';
import { mcpSchema } from './mcp-schema';
import { policiesSchema, principalsSchema } from './policy';
import { sealedSchema } from './sealed';
import { secret } from './secret';

/** holdfast.yaml, as a person writes it. The published schema/holdfast.schema.json is made from this. */

const perMillionTokens = z.number().min(0);

/** One that refuses is asked four times within 7 s: eight take a tenth of the default run time before a person is told. */
const fallbacksMax = 8;

const model = closedObject({
  provider: z.enum(['openai-compatible', 'openai', 'anthropic']),
  model: z.string().min(1).describe('The name that the provider knows.'),
  baseUrl: z.url().optional().describe('Up to and without /chat/completions; needed for openai-compatible.'),
  apiKey: secret.optional().describe('Resolved at each use, never stored.'),
  contextTokens: z.int().positive().optional().describe('Size of the context window.'),
  maxOutputTokens: z.int().positive().optional().describe('Longest answer; it is what a call reserves.'),
  timeoutMs: z.int().positive().optional().describe('Longest for one whole call, ms.'),
  quick: z.boolean().optional().describe('Answers within about a second, so that calls may run as local activities.'),
  price: closedObject({
    inputPerMTok: perMillionTokens,
    outputPerMTok: perMillionTokens,
    cacheReadPerMTok: perMillionTokens.optional(),
  })
    .optional()
    .describe('US dollars per million tokens; the bundled price table is used where this is left out.'),
  fallback: z
    .array(z.string())
    .max(fallbacksMax, `at most ${fallbacksMax} fallbacks`)
    .optional()
    .describe('Models tried in this order where this one cannot answer.'),
  headers: z
    .record(z.string(), z.string())
    .optional()
    .describe('Sent with each request; {tenant}, {attempt} and {step} are filled in.'),
});

const count = z.int().min(0);

/** A budget as people write it: seconds and US dollars. */
export const budgetSchema = closedObject({
  maxTurns: z.int().positive().optional(),
  maxToolCalls: count.optional(),
  maxSameToolErrors: count.optional().describe('Errors of one tool in a row.'),
  maxRuntimeSeconds: z.number().positive().optional(),
  maxTokens: z.int().positive().optional(),
  maxCostUsd: z.number().min(0).optional(),
  maxRepairs: count.optional(),
} satisfies Record<WrittenLimit, z.ZodType>);
export type BudgetText = z.output<typeof budgetSchema>;

const tenant = closedObject({
  budget: budgetSchema.optional().describe('Limits of an Attempt whose task file sets none.'),
  maxCostUsd: z.number().min(0).optional().describe('What the model calls of all its Attempts may cost together.'),
  per: z.enum(costPeriods).optional().describe('What maxCostUsd is for; a month by UTC where left out.'),
});

export const configSchema = closedObject({
  models: z.record(z.string().regex(namePattern, 'a name is a-z, 0-9, ".", "_" or "-"'), model).optional(),
  tenants: z
    .record(z.string().regex(namePattern, 'a name is a-z, 0-9, ".", "_" or "-"'), tenant)
    .optional()
    .describe('Where any is named, only those may start tasks.'),
  workspace: closedObject({
    sources: z
      .array(z.string().min(1))
      .optional()
      .describe('Folders and URLs at or below which a workspace may come from; anywhere where left out.'),
    hosts: z
      .enum(['one', 'many'])
      .optional()
      .describe(
        'many: workers have data folders of their own, and a workspace moves to another where its host is gone.',
      ),
    sandbox: z.enum(['auto', 'required']).optional().describe('required: refuse to run commands without bubblewrap.'),
  }).optional(),
  skills: z
    .array(z.string().min(1))
    .optional()
    .describe('Folders with a SKILL.md, or of such folders; relative to this file.'),
  tools: z
    .array(z.string().min(1))
    .optional()
    .describe('Modules that export tools, TypeScript or JavaScript; from the folder of this file.'),
  mcp: mcpSchema.optional().describe('MCP servers whose tools tasks may use.'),
  databases: databasesSchema,
  sealed: sealedSchema,
  policies: policiesSchema,
  principals: principalsSchema,
  gateway: gatewaySchema,
}).superRefine((config, context) => {
  for (const [name, entry] of Object.entries(config.tenants ?? {})) {
    if (entry.per === undefined || entry.maxCostUsd !== undefined) continue;
    const message = 'says what maxCostUsd is for, and there is none';
    context.addIssue({ code: 'custom', path: ['tenants', name, 'per'], message, input: entry.per });
  }
  for (const [name, entry] of Object.entries(config.models ?? {})) {
    if (entry.provider === 'openai-compatible' && entry.baseUrl === undefined) {
      context.addIssue({
        code: 'custom',
        path: ['models', name],
        message: 'an openai-compatible model needs baseUrl',
        input: entry,
      });
    }
    for (const [index, fallback] of (entry.fallback ?? []).entries()) {
      if (fallback === name || config.models?.[fallback] === undefined) {
        const message = fallback === name ? 'a model cannot be its own fallback' : `no model is named "${fallback}"`;
        context.addIssue({ code: 'custom', path: ['models', name, 'fallback', index], message, input: fallback });
      }
    }
  }
});
export type ConfigText = z.output<typeof configSchema>;
