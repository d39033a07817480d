import { z } from 'zod';
import { configSchema } from '../config/schema';
import { taskSchema } from './task-schema';

/** The JSON Schemas that editors and other programs check files with; schema/ holds them as files. */
export function publishedSchemas(): Readonly<Record<string, object>> {
  return {
    'task.schema.json': jsonSchema(taskSchema, 'A Holdfast task file'),
    'holdfast.schema.json': jsonSchema(configSchema, "Holdfast's configuration, holdfast.yaml"),
  };
}

function jsonSchema(schema: z.ZodType, title: string): object {
  return { title, ...z.toJSONSchema(schema, { io: 'input' }) };
}
