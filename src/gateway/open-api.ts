import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { rolesFor } from '../protocol/roles';
import { installedVersion } from '../requests/running/installed-version';
import { problemType } from './problem';
import type { Route } from './route';

type Json = Readonly<Record<string, unknown>>;

/** What routes answer with, made of the types that they are written by (`npm run schemas`). */
const answersFile = join(__dirname, '..', '..', 'schema', 'api.schema.json');

/** The OpenAPI document of the table of routes. */
export function openApi(routes: readonly Route[]): Json {
  const { definitions } = JSON.parse(readFileSync(answersFile, 'utf8')) as { definitions: Json };
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes)
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Holdfast',
      version: installedVersion(),
      description: 'Agents whose work survives crashes, and that never act twice.',
    },
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: JSON.parse(JSON.stringify(definitions).replaceAll('#/definitions/', '#/components/schemas/')),
    },
  };
}

function operation(route: Route): Json {
  const { act, path, method, summary, query, body, answers } = route;
  const name = path
    .replace(/^\/(v1\/)?/, '')
    .replace(/[^a-zA-Z]+/g, '_')
    .replace(/_$/, '');
  return {
    operationId: `${method.toLowerCase()}_${name}`,
    summary,
    ...(act === null ? { security: [] } : { description: `Roles: ${rolesFor(act).join(' or ')}.` }),
    parameters: [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, param = '']) => ({
        name: param,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      })),
      ...(query === undefined ? [] : queryParameters(query)),
      ...(method === 'POST' ? [idempotencyKey] : []),
    ],
    ...(body !== undefined && {
      requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body) } } },
    }),
    responses: {
      200: {
        description: 'Done.',
        content:
          typeof answers === 'string'
            ? { 'application/json': { schema: { $ref: `#/components/schemas/${answers}` } } }
            : { [answers.type]: { schema: { type: 'string' } } },
      },
      default: {
        description: 'Not done; `type` says why to a program, `detail` and `next` to a person.',
        content: { [problemType.split(';')[0] ?? '']: { schema: { $ref: '#/components/schemas/ProblemDocument' } } },
      },
    },
  };
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'The same request under the same key is done once, and answered the same.',
  schema: { type: 'string', maxLength: 200 },
};

function queryParameters(query: z.ZodObject): readonly Json[] {
  const { properties = {}, required = [] } = schemaOf(query) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
  }));
}

/** As a client writes it: what has a default may be left out. */
function schemaOf(schema: z.ZodType): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return json;
}
