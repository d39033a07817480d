import { dirname, resolve } from 'node:path';
import { howToNameModels } from '../../config/how-to-name-models';
import { limitsOf } from '../../config/limits';
import type { Limits } from '../../domain/budget/account';
import type { Contract, WorkspaceSpec } from '../../domain/contract/contract';
import { withImplied } from '../../domain/contract/implied';
import { neededChecks } from '../../domain/contract/needed-checks';
import { withoutCredentials } from '../../domain/contract/without-credentials';
import { InputError, type Problem } from '../../located-yaml/input-error';
import { type LocatedDocument, parseLocated, readLocated } from '../../located-yaml/located-document';
import { criterionOf } from './criterion-of';
import { criterionProblems } from './criterion-problems';
import { isUrl } from './is-url';
import type { KnownNames } from './known-names';
import { type TaskText, taskSchema } from './task-schema';
import { unknownTool } from './unknown-tool';

/** A task file's content in the terms of the runtime. */
export interface TaskFile {
  readonly task: string;
  readonly contract: Contract;
  /** Only what the file sets. */
  readonly limits: Partial<Limits>;
  readonly model: string;
  readonly input: string;
}

/** Throws InputError that names every problem with its line and column. Reads nothing but the file. */
export function readTaskFile(file: string, known: KnownNames): TaskFile {
  return taskOf(readLocated(file, taskSchema), dirname(resolve(file)), known);
}

/** The same from a text; `name` is what problems call it, and `folder` what its paths are relative to. */
export function parseTask(name: string, text: string, { folder, ...known }: KnownNames & { folder: string }): TaskFile {
  return taskOf(parseLocated(name, text, taskSchema), folder, known);
}

function taskOf(document: LocatedDocument<TaskText>, folder: string, known: KnownNames): TaskFile {
  const problems = problemsOf(document, known);
  if (problems.length > 0) throw new InputError(problems);

  const { task, goal, budget, input } = document.value;
  const model = modelOf(document.value, known);
  return {
    task,
    contract: contractOf(document.value, folder, known.files),
    limits: limitsOf(budget ?? {}),
    model,
    input: input ?? goal,
  };
}

function problemsOf({ value, problem }: LocatedDocument<TaskText>, known: KnownNames): Problem[] {
  const problems: Problem[] = [];
  const acceptance = value.acceptance ?? [];
  for (const [index, tool] of (value.tools ?? []).entries()) {
    if (!known.moreTools && !known.tools.includes(tool)) {
      problems.push(problem(['tools', index], unknownTool(tool, known.tools)));
    }
  }
  const model = modelOf(value, known);
  if (!known.models.includes(model)) problems.push(problem(['model'], unknownModel(model, known.models)));
  for (const [index, { id }] of acceptance.entries()) {
    if (acceptance.findIndex((other) => other.id === id) < index) {
      problems.push(problem(['acceptance', index, 'id'], `two checks are named "${id}"`));
    }
  }
  const git = value.workspace?.git ?? '';
  if (withoutCredentials(git) !== git) problems.push(problem(['workspace', 'git'], credentialsInAddress));
  for (const [index, criterion] of acceptance.entries()) {
    for (const { key, message } of criterionProblems(criterion, value, known))
      problems.push(problem(['acceptance', index, key], message));
  }
  if (value.kind === 'code_change' && value.workspace === undefined) {
    problems.push(problem([], 'a code_change needs a workspace: { git: path or URL }'));
  }
  const { needed, example } = neededChecks[value.kind];
  if (needed.length > 0 && !acceptance.some(({ check }) => needed.includes(check))) {
    problems.push(problem(['acceptance'], `a ${value.kind} needs at least one check, such as ${example}`));
  }
  return problems;
}

/** R10.4: the address goes into the contract, and so into the ledger for good. The address itself is not said again. */
const credentialsInAddress =
  'the address holds a user, a password or a token, which would be kept with the task; leave it out, and give git the ' +
  'credentials where the worker runs: a credential helper, an ssh key, or GIT_ASKPASS in its environment';

function modelOf({ model = 'default' }: TaskText, known: KnownNames): string {
  return known.model ?? model;
}

function unknownModel(model: string, models: readonly string[]): string {
  if (models.length > 0) return `no model is named "${model}"; there are ${models.join(', ')}`;
  return `no model is configured: ${howToNameModels}; in the environment of \`holdfast up\` and of this command alike`;
}

function contractOf(text: TaskText, folder: string, files: KnownNames['files']): Contract {
  return withImplied({
    kind: text.kind,
    goal: text.goal,
    constraints: text.constraints ?? [],
    forbidden: text.forbidden ?? [],
    tools: text.tools ?? [],
    acceptance: (text.acceptance ?? []).map((criterion) => criterionOf(criterion, files)),
    ...(text.workspace !== undefined && { workspace: workspaceOf(text.workspace, folder) }),
  });
}

function workspaceOf(text: NonNullable<TaskText['workspace']>, folder: string): WorkspaceSpec {
  return {
    git: isUrl(text.git) ? text.git : resolve(folder, text.git),
    ref: text.ref ?? 'HEAD',
    setup: text.setup ?? 'auto',
  };
}
