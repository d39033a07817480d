import { z } from 'zod';
import { configSchema } from '../config/schema';
import { transcriptSchema } from '../models/scripted/transcript-schema';
import { policySchema } from '../policy/rules/policy-schema';
import { taskSchema } from '../requests/task/task-schema';

/** The JSON Schemas that editors and other programs check files with; schema/ holds them as files. */
export function publishedSchemas(): Readonly<Record<string, object>> {
  return {
    'task.schema.json': jsonSchema(taskSchema, 'A Holdfast task file'),
    'holdfast.schema.json': jsonSchema(configSchema, "Holdfast's configuration, holdfast.yaml"),
    'policy.schema.json': jsonSchema(policySchema, 'A Holdfast policy file'),
    'transcript.schema.json': jsonSchema(transcriptSchema, 'A transcript for the scripted model'),
  };
}

function jsonSchema(schema: z.ZodType, title: string): object {
  return { title, ...z.toJSONSchema(schema, { io: 'input' }) };
}
