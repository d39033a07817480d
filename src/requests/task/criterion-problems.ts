import type { Criterion } from '../../domain/contract/contract';
import { scanSql } from '../../domain/contract/query/scan-sql';
import type { CriterionText } from './criterion-of';
import type { KnownNames } from './known-names';
import type { TaskText } from './task-schema';
import { unknownTool } from './unknown-tool';

export interface CriterionProblem {
  /** Of the check, where the problem is. */
  readonly key: string;
  readonly message: string;
}

/** Why a check of a task file could never judge anything, as far as is known without a worker. */
export function criterionProblems(
  criterion: CriterionText,
  { kind, workspace, acceptance = [] }: Pick<TaskText, 'kind' | 'workspace' | 'acceptance'>,
  known: KnownNames,
): readonly CriterionProblem[] {
  const problems: CriterionProblem[] = [];
  const unfit = criterion.check === 'external' ? notForCheck(criterion.tool, known) : undefined;
  if (unfit !== undefined) problems.push({ key: 'tool', message: unfit });
  if (needsWorkspace.has(criterion.check) && workspace === undefined && kind !== 'code_change')
    problems.push({ key: 'check', message: `a ${criterion.check} check needs a workspace` });
  if (criterion.check === 'human' && kind === 'dialog')
    problems.push({
      key: 'check',
      message: 'a dialog ends with an answer to the user, who can say what is wrong with it',
    });
  const open = acceptance.filter((one) => !('sealed' in one && one.sealed)); // sealed ones come last by themselves
  if (criterion.check === 'human' && criterion !== open.at(-1))
    problems.push({ key: 'check', message: 'a person is asked once, after all other checks; put this one last' });
  const missing = criterion.check === 'command' ? filesMissing(criterion.files, known.files) : undefined;
  if (missing !== undefined) problems.push({ key: 'files', message: missing });
  if (criterion.check === 'query') problems.push(...queryProblems(criterion, kind, known));
  return problems;
}

function filesMissing(name: string | undefined, files: KnownNames['files'] = {}): string | undefined {
  if (name === undefined || Object.hasOwn(files, name)) return undefined;
  return `there are no such files here: holdfast.yaml takes sealed: { ${name}: { path: folder } }, a folder of plain files`;
}

const needsWorkspace: ReadonlySet<Criterion['check']> = new Set(['command', 'diff']);

function queryProblems(
  { database, sql }: Extract<CriterionText, { check: 'query' }>,
  kind: TaskText['kind'],
  { databases = [] }: KnownNames,
): readonly CriterionProblem[] {
  const problems: CriterionProblem[] = [];
  if (!databases.includes(database)) problems.push({ key: 'database', message: unknownDatabase(database, databases) });
  if (sql === undefined && kind !== 'data')
    problems.push({ key: 'check', message: 'a query check needs sql; only a data task has a query of the agent' });
  const { changing, statements } = scanSql(sql ?? '');
  if (statements > 1) problems.push({ key: 'sql', message: 'takes one statement' });
  if (changing.length > 0)
    problems.push({
      key: 'sql',
      message: `asks for ${changing.join(', ')}, so it would give other rows at another time`,
    });
  return problems;
}

const unknownDatabase = (name: string, databases: readonly string[]) =>
  databases.length === 0
    ? 'no database is configured: holdfast.yaml takes databases: { name: { file: path } }'
    : `no database is named "${name}"; there are ${databases.join(', ')}`;

/** Why a check may not look with this tool; undefined where it may, as far as is known here. */
function notForCheck(tool: string, { tools, reads, moreTools }: KnownNames): string | undefined {
  if (reads.includes(tool)) return undefined;
  if (tools.includes(tool)) return `${tool} is no tool that only reads; a check looks, with one of ${reads.join(', ')}`;
  return moreTools ? undefined : unknownTool(tool, reads);
}
