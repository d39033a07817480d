import { checkCitations, citationProblemInWords, type ReadSource } from '../../../src/domain/contract/citations-check';

const read = (name: string, text: string, ownWork = false): ReadSource => ({ names: [name], text, ownWork });
const sources = [
  read('docs/storms.md', 'The bridge was closed\n  on 3 May 1987,\tafter the flood.'),
  read('docs/storms.md', '# Page two\nIt was opened again in June.'),
  read('https://example.com/a', 'Nobody was hurt.'),
  read('notes.md', 'The bridge is made of cheese.', true),
];
const judge = (
  citations: readonly { source: string; quote: string; question?: string }[],
  criterion: Parameters<typeof checkCitations>[0] = {},
  unknowns: readonly string[] = [],
) => checkCitations(criterion, { citations: [...citations], unknowns: [...unknowns] }, sources);

const closed = { source: 'docs/storms.md', quote: 'closed on 3 May 1987, after the flood' };
const unhurt = { source: 'https://example.com/a', quote: 'Nobody was hurt.' };

test('R3.3 a quote that stands in its source is found whatever its line ends and spaces, on any page that was read', () => {
  expect(judge([closed, { source: './docs//storms.md', quote: 'opened  again\nin June' }, unhurt])).toEqual([]);
});

test.each([
  ['other words', 'closed on 4 May 1987'],
  ['other capitals', 'the bridge was closed'],
  ['words of two pages', 'after the flood. # Page two'],
  ['nothing but spaces', ' \n '],
])('R3.3 a quote of %s is invented', (_what, quote) => {
  expect(judge([{ source: 'docs/storms.md', quote }])).toMatchObject([
    { kind: 'not_in_source' },
    { kind: 'too_few_sources' },
  ]);
});

test('R3.3 a source that was never read, or that the attempt wrote itself, proves nothing', () => {
  expect(judge([unhurt, { source: 'docs/other.md', quote: 'Nobody was hurt.' }])).toEqual([
    { kind: 'never_read', source: 'docs/other.md' },
  ]);
  expect(judge([unhurt, { source: 'notes.md', quote: 'made of cheese' }])).toEqual([
    { kind: 'own_work', source: 'notes.md' },
  ]);
});

test('R3.3 sources are counted once, and only where their quotes hold', () => {
  const again = { source: './docs/storms.md', quote: 'opened again' };
  expect(judge([closed, again], { minSources: 2 })).toEqual([{ kind: 'too_few_sources', found: 1, needed: 2 }]);
  expect(judge([closed, again, unhurt], { minSources: 2 })).toEqual([]);
  expect(judge([])).toEqual([{ kind: 'nothing_cited' }]);
});

test('R3.3 each question is answered by a citation that holds, or is listed as unknown', () => {
  const questions = ['When was it closed?', 'Who paid?'];
  const answer = { ...closed, question: 'when was it  closed' };
  expect(judge([answer], { questions }, ['Who paid? The sources do not say.'])).toEqual([]);
  expect(judge([answer], { questions })).toEqual([{ kind: 'uncovered', question: 'Who paid?' }]);
  expect(judge([unhurt, { ...answer, quote: 'closed in 1990' }], { questions }, ['who paid'])).toMatchObject([
    { kind: 'not_in_source' },
    { kind: 'uncovered', question: 'When was it closed?' },
  ]);
});

test('R3.4 each problem is told in words that say what to do', () => {
  const problems = judge([{ source: 'docs/other.md', quote: 'x' }], { questions: ['Why?'], minSources: 2 });
  expect(problems.map(citationProblemInWords)).toEqual([
    'The source docs/other.md was never read by this attempt; name it as the call that read it did.',
    '0 different sources hold what is cited, and 2 are needed.',
    'Neither cited nor listed among the unknowns: “Why?”. A citation names the question that it answers.',
  ]);
});
