import type { CitationsCriterion } from './contract';
import type { Citation, Report } from './report';

/** One answer that a read of the attempt got: a source as it was then. */
export interface ReadSource {
  /** As the read names it: a path, an address, the hash of the stored copy. */
  readonly names: readonly string[];
  readonly text: string;
  /** The attempt itself had written there before it read. */
  readonly ownWork: boolean;
}

export type CitationProblem =
  | { readonly kind: 'nothing_cited' }
  | { readonly kind: 'never_read'; readonly source: string }
  | { readonly kind: 'own_work'; readonly source: string }
  | { readonly kind: 'not_in_source'; readonly source: string; readonly quote: string }
  | { readonly kind: 'too_few_sources'; readonly found: number; readonly needed: number }
  | { readonly kind: 'uncovered'; readonly question: string };

/**
 * Judges what a candidate cites against what the attempt read (R3.3). Whitespace does not count in a quote; everything else does. A
 * question is covered by a citation that holds, or by being named among the unknowns.
 */
export function checkCitations(
  { minSources = 1, questions = [] }: Pick<CitationsCriterion, 'minSources' | 'questions'>,
  { citations, unknowns }: Pick<Report, 'citations' | 'unknowns'>,
  read: readonly ReadSource[],
): readonly CitationProblem[] {
  const judged = citations.map((citation) => ({ citation, problem: problemOf(citation, read) }));
  const held = judged.filter(({ problem }) => problem === undefined).map(({ citation }) => citation);
  const sources = new Set(held.map(({ source }) => sourceName(source)));
  const answered = new Set(held.map(({ question }) => (question === undefined ? '' : plain(question))));
  const unknown = unknowns.map(plain);
  const isCovered = (question: string) => answered.has(question) || unknown.some((text) => text.includes(question));

  return [
    ...(citations.length === 0 && minSources > 0 ? [{ kind: 'nothing_cited' } as const] : []),
    ...judged.flatMap(({ problem }) => (problem ? [problem] : [])),
    ...(citations.length > 0 && sources.size < minSources
      ? [{ kind: 'too_few_sources', found: sources.size, needed: minSources } as const]
      : []),
    ...questions
      .filter((question) => !isCovered(plain(question)))
      .map((question) => ({ kind: 'uncovered', question }) as const),
  ];
}

function problemOf({ source, quote }: Citation, read: readonly ReadSource[]): CitationProblem | undefined {
  const name = sourceName(source);
  const answers = read.filter(({ names }) => names.some((own) => sourceName(own) === name));
  if (answers.length === 0) return { kind: 'never_read', source };
  const theirs = answers.filter(({ ownWork }) => !ownWork);
  if (theirs.length === 0) return { kind: 'own_work', source };
  const wanted = spaced(quote);
  const holds = wanted !== '' && theirs.some(({ text }) => spaced(text).includes(wanted));
  return holds ? undefined : { kind: 'not_in_source', source, quote };
}

/** `./notes//a` is `notes/a`; an address stays as it is. */
const sourceName = (name: string) =>
  name.includes('://')
    ? name
    : name
        .trim()
        .replace(/\/{2,}/g, '/')
        .replace(/^(\.\/)+/, '');

const spaced = (text: string) => text.replace(/\s+/g, ' ').trim();
/** A question is recognised whatever its capitals and its last sign. */
const plain = (text: string) =>
  spaced(text)
    .toLowerCase()
    .replace(/[\s?.!:]+$/, '');

/** A quote is recognised by its beginning. */
const shownQuoteMaxChars = 200;

/** A problem in words, for the model and for people. */
export function citationProblemInWords(problem: CitationProblem): string {
  switch (problem.kind) {
    case 'nothing_cited':
      return 'Nothing is cited: finish takes citations, each with source and quote.';
    case 'never_read':
      return `The source ${problem.source} was never read by this attempt; name it as the call that read it did.`;
    case 'own_work':
      return `The source ${problem.source} was written by this attempt before it was read, so it proves nothing.`;
    case 'not_in_source':
      return `The source ${problem.source}, as it was read, does not hold: “${problem.quote.slice(0, shownQuoteMaxChars)}”. Quote it word for word, from one page.`;
    case 'too_few_sources':
      return `${problem.found} different sources hold what is cited, and ${problem.needed} are needed.`;
    case 'uncovered':
      return `Neither cited nor listed among the unknowns: “${problem.question}”. A citation names the question that it answers.`;
  }
}
