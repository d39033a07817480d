import { resolve } from 'node:path';
import { z } from 'zod';
import { principalPattern } from '../domain/policy/names';
import type { Principal } from '../domain/policy/policy';
import { closedObject } from '../located-yaml/closed-object';

/** What decides on actions, and who may answer. */
export interface PolicyConfig {
  /** Absolute, in order; the shipped policy where left out. */
  readonly files?: readonly string[];
  readonly principals: readonly Principal[];
  /** Everything runs embedded, for one person: answers are taken as they come (R5.5). */
  readonly singleUser: boolean;
}

const nameError = 'a name is letters, digits, ".", "_", "@" or "-", and begins with a letter or digit';
const principal = closedObject({
  roles: z.array(z.string().regex(principalPattern, nameError)).optional().describe('For approvers: ["role:NAME"].'),
});

export const policiesSchema = z
  .array(z.string().min(1))
  .min(1, 'names no file; leave it out to have the shipped policy')
  .optional()
  .describe('Policy files in order, from the folder of this file; policy/default.yaml of Holdfast where left out.');
export const principalsSchema = z
  .record(z.string().regex(principalPattern, nameError), principal)
  .optional()
  .describe('Who may answer; where nobody is named, whoever answers is taken at their word.');

interface PolicyText {
  readonly policies?: readonly string[] | undefined;
  readonly principals?: z.output<typeof principalsSchema>;
}

export function policyConfig(
  { policies, principals = {} }: PolicyText,
  folder: string,
  singleUser: boolean,
): PolicyConfig {
  return {
    ...(policies !== undefined && { files: policies.map((path) => resolve(folder, path)) }),
    principals: Object.entries(principals).map(([name, { roles = [] }]) => ({ name, roles })),
    singleUser,
  };
}
