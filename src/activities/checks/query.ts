import { setTimeout as sleep } from 'node:timers/promises';
import type { QueryCriterion } from '../../domain/contract/contract';
import { differenceInWords } from '../../domain/contract/external-check';
import { differenceFromRows } from '../../domain/contract/query/expected-rows';
import type { QueryRows } from '../../domain/contract/query/query-rows';
import { resultHash, sameRows } from '../../domain/contract/query/same-rows';
import { scanSql } from '../../domain/contract/query/scan-sql';
import type { ReportedResult } from '../../domain/contract/report';
import { keepOutput } from '../keep-output';
import { DatabaseError } from '../ports';
import { type Checked, cannotCheck } from './checked';
import { reportOf } from './report-of';
import type { CheckScene, Verifier } from './verifier';

/** Longest for one run of a query, ms: a figure that takes longer belongs into a table that is made beforehand. */
const queryTimeoutMs = 60_000;
/** Rows of a result that a person can still look through; a figure has few. */
const checkedRowsMax = 10_000;
/** The evidence holds the result, and so does a request of the model where it is wrong, bytes. */
const checkedBytesMax = 1024 * 1024;
/** Between the beginnings of the two runs, ms: more than the second in which SQLite counts time, so that a clock shows. */
const apartMs = 1_100;

/** What two runs of one query came to. */
type TwoRuns =
  | { readonly kind: 'same'; readonly sql: string; readonly result: QueryRows; readonly ordered: boolean }
  | { readonly kind: 'unfit'; readonly sql: string; readonly code: string; readonly why: string };

/**
 * The query gives the same rows in two transactions that cannot write, and they are as expected (R3.3). A contract's own query that
 * cannot do that says nothing about the candidate; the agent's own is the candidate.
 */
export const checkQuery: Verifier<QueryCriterion> = async (scene, criterion) => {
  const { deps, attempt } = scene;
  if (!deps.databases?.names().includes(criterion.database)) return cannotCheck('DATABASE_UNKNOWN');
  const beganMs = performance.now();
  const own = criterion.sql === undefined ? undefined : await runTwice(scene, criterion.database, criterion.sql);
  if (own?.kind === 'unfit') return cannotCheck(own.code);

  const asked = attempt.start.kind === 'data';
  const report = asked ? (await reportOf(scene))?.result : undefined;
  const reported = report && (await runTwice(scene, criterion.database, report.sql));
  if (!own && !asked) return cannotCheck('CHECK_WITHOUT_QUERY');
  const problems = [
    ...(asked ? reportProblems(criterion, report, reported) : []),
    ...(own && reported?.kind === 'same' ? againstOwn(own, reported) : []),
    ...expectProblems(criterion, own ?? reported),
  ];
  return judged(scene, criterion, { own, reported, report, problems, durationMs: performance.now() - beganMs });
};

/** Rejects where the database cannot be reached: what passes by itself is tried again. */
async function runTwice({ deps, signal }: CheckScene, database: string, sql: string): Promise<TwoRuns> {
  const { ordered, changing } = scanSql(sql);
  const unfit = (code: string, why: string): TwoRuns => ({ kind: 'unfit', sql, code, why });
  if (changing.length > 0) {
    const why = `The query asks for ${changing.join(', ')}, which is another value at another time; write the value itself.`;
    return unfit('QUERY_NOT_REPRODUCIBLE', why);
  }
  const limits = { signal, timeoutMs: queryTimeoutMs, rowsMax: checkedRowsMax, bytesMax: checkedBytesMax };
  const run = () => deps.databases?.query(database, sql, limits);
  const beganMs = performance.now();
  try {
    const first = await run();
    await sleep(Math.max(0, apartMs - (performance.now() - beganMs)), undefined, { signal });
    const second = await run();
    if (first && second && sameRows(first, second, ordered)) return { kind: 'same', sql, result: first, ordered };
    return unfit('QUERY_NOT_REPRODUCIBLE', 'The query gave other rows when it was run again.');
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.failure.class === 'tool_transient') throw error;
    return unfit(error.failure.code, error.message);
  }
}

function reportProblems(
  { database }: QueryCriterion,
  report: ReportedResult | undefined,
  ran: TwoRuns | undefined,
): readonly string[] {
  if (!report || !ran) return ['finish gave no result: it takes result with database, sql, definition and rows.'];
  if (report.database !== database)
    return [`The result is of the database ${report.database}, and not of ${database}.`];
  const problems = report.definition.trim() === '' ? ['The result does not say how what it measures is defined.'] : [];
  if (ran.kind === 'unfit') return [...problems, ran.why];
  const { columns } = ran.result;
  const same = sameRows({ columns, rows: report.rows }, ran.result, ran.ordered);
  return same ? problems : [...problems, 'The rows that finish reports are not those that its query gives.'];
}

type Same = Extract<TwoRuns, { kind: 'same' }>;

/** Columns may be called otherwise; what stands in them is compared. */
function againstOwn(own: Same, { result }: Same): readonly string[] {
  const renamed = { columns: own.result.columns, rows: result.rows };
  return sameRows(own.result, renamed, own.ordered)
    ? []
    : ["The reported query gives other rows than the contract's own does."];
}

function expectProblems({ expect }: QueryCriterion, ran: TwoRuns | undefined): readonly string[] {
  if (expect === undefined || ran?.kind !== 'same') return [];
  const difference = differenceFromRows(expect, ran.result);
  switch (difference?.kind) {
    case undefined:
      return [];
    case 'rows':
      return [`The query gives ${difference.found} rows, and one is expected.`];
    case 'values':
      return difference.differences.map(differenceInWords);
  }
}

interface Judged {
  readonly own: TwoRuns | undefined;
  readonly reported: TwoRuns | undefined;
  readonly report: ReportedResult | undefined;
  readonly problems: readonly string[];
  readonly durationMs: number;
}

/** The evidence has the definition beside the rows, so that whoever finds the figure finds what it means. */
async function judged({ deps, attempt }: CheckScene, { database }: QueryCriterion, found: Judged): Promise<Checked> {
  const ran = found.reported ?? found.own;
  const output = {
    database,
    ...(found.report && { definition: found.report.definition }),
    ...(ran?.kind === 'same' && { ...ran.result, hash: resultHash(ran.result, ran.ordered) }),
  };
  const queries = [found.own, found.reported].flatMap((query) => (query ? [query.sql] : []));
  return {
    kind: 'checked',
    met: found.problems.length === 0,
    snapshot: attempt.snapshot,
    evidence: {
      detail: found.problems.join(' '),
      ran: `query ${database}, twice: ${queries.join('; and ')}`,
      durationMs: Math.round(found.durationMs),
      ...(await keepOutput(deps, attempt.ref.tenant, JSON.stringify(output))),
    },
    untrusted: true,
  };
}
