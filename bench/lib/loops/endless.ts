import { page, prelude, read, testRun } from './honest';
import { noiseOf } from './noise';
import type { Random } from './random';
import type { RecordedCall, Recording } from './recorded-call';

/** A loop that nobody stopped goes on for so many calls. */
const loopLength = 40;

type Turn = RecordedCall | readonly RecordedCall[];

function endless(random: Random, name: string, turnOf: (turn: number) => Turn): Recording {
  const before = prelude(random);
  const calls = Array.from({ length: loopLength }, (_, turn) => turnOf(turn)).flat();
  return { name, calls: [...before, ...calls], loopFrom: before.length };
}

/** Up to so many calls that bring something new, in one turn of a loop. */
const asides = (random: Random, turn: number, max: number): readonly RecordedCall[] =>
  Array.from({ length: random.between(0, max) }, (_, n) => ({
    ...read({ tool: 'read_file', args: { path: `news/${turn}/${n}.ts` }, answer: page(`news ${turn} ${n}`) }),
    aside: true,
  }));

const openers = ['Let me look again', 'Maybe I missed it', 'One more try', 'I should verify', 'Now for real'];
const manual = `The refund window is thirty days. ${'It is counted from the delivery. '.repeat(8)}`;

/** The model says something else each time, and means the same call. */
export function otherWords(random: Random): Recording {
  const noise = noiseOf(random);
  const words = () => `${random.pick(openers)}, ${random.pick(openers).toLowerCase()}`;
  const spaces = () => ' '.repeat(random.between(1, 4));
  return random.pick([
    () =>
      endless(random, 'other white space', () => ({
        ...testRun(random, noise, 's0', 3),
        args: { command: `npm${spaces()}test${spaces()}` },
      })),
    () =>
      endless(random, 'other comment in a shell line', () => ({
        ...testRun(random, noise, 's0', 3),
        args: { command: `npm test # ${words()}` },
      })),
    () =>
      endless(random, 'other reason', () =>
        read({ tool: 'read_file', args: { path: 'src/a.ts', reason: words() }, answer: page('a') }),
      ),
    () =>
      endless(random, 'the question in other words', (turn) =>
        read({
          tool: 'ask_manual',
          args: { question: `${words()}: how long is the refund window, question ${turn}` },
          answer: manual,
        }),
      ),
    () =>
      endless(random, 'other words around the call', () =>
        read({ tool: 'lookup_order', args: { orderId: '1042' }, answer: '{"status":"pending"}' }),
      ),
  ])();
}

/** The answer is another to the byte, and says the same. */
export function otherTimes(random: Random): Recording {
  const noise = noiseOf(random);
  return random.pick([
    () =>
      endless(random, 'a state', () =>
        read({
          tool: 'lookup_order',
          args: { orderId: '1042' },
          answer: `${noise()} status pending ${noise()}`,
        }),
      ),
    () =>
      endless(random, 'a long answer', () =>
        read({ tool: 'read_log', args: { job: 'a' }, answer: `${noise()}\n${page('log')}\n${noise()}` }),
      ),
    () => endless(random, 'failing tests', () => testRun(random, noise, 's0', 3)),
    () =>
      endless(random, 'an error', () =>
        read({
          tool: 'get_page',
          args: { url: 'https://x.example/a' },
          answer: `not found ${noise()}`,
          failure: 'tool_business',
        }),
      ),
  ])();
}

/** Other calls all the time, whose answers are all known: round and round the same few files, or one error for every try. */
export function nothingNew(random: Random): Recording {
  const round = random.between(2, 6);
  return random.pick([
    () =>
      endless(random, 'round and round', (turn) =>
        read({
          tool: 'read_file',
          args: { path: `src/file-${turn % round}.ts` },
          answer: page(`file ${turn % round}`),
        }),
      ),
    () =>
      endless(random, 'one error for every try', (turn) =>
        read({
          tool: 'fetch',
          args: { url: `https://x.example/${turn}` },
          answer: 'The address is not allowed.',
          failure: 'tool_business',
        }),
      ),
  ])();
}

const topics = [
  'refunds',
  'refund window',
  'refund period',
  'money back',
  'returns',
  'return policy',
  'deadline',
  'lost parcel',
];

/** One question in one or two words, another pair each time. */
export function fewWords(random: Random): Recording {
  const name = random.pick(['query', 'question', 'q']);
  return endless(random, 'one question in few words', (turn) =>
    read({ tool: 'ask_manual', args: { [name]: topics[turn % topics.length] ?? '' }, answer: manual }),
  );
}

/** The same look, with news beside it, in a view that is compacted all the time. */
export function overCompactions(random: Random): Recording {
  const [perView, news] = [random.between(1, 5), random.between(0, 5)];
  const noise = noiseOf(random);
  const look = random.pick([
    () => read({ tool: 'lookup_order', args: { orderId: '1042' }, answer: `${noise()} pending` }),
    () => read({ tool: 'read_file', args: { path: 'src/a.ts' }, answer: page('a') }),
    () => testRun(random, noise, 's0', 3),
  ]);
  return endless(random, 'over compactions', (turn) => [
    { ...look(), ...(turn % perView === 0 && { compacted: true as const }) },
    ...asides(random, turn, news),
  ]);
}

/** The plan's step is named anew every few calls, and sometimes called done, so that it looks like another piece of work. */
export function renamedSteps(random: Random): Recording {
  const [perName, news] = [random.between(1, 4), random.between(0, 5)];
  const claims = random.next() < 0.5;
  const noise = noiseOf(random);
  return endless(random, 'renamed steps', (turn) => {
    const name = Math.floor(turn / perName);
    const look = read({ tool: 'lookup_order', args: { orderId: '1042' }, answer: `${noise()} pending` });
    return [
      { ...look, planStep: `step ${name}`, ...(claims && { planDone: name }) },
      ...asides(random, turn, news).map((aside) => ({ ...aside, planStep: `step ${name}` })),
    ];
  });
}

/** Several equal calls in each proposal. A repeat is a step that makes them again. */
export function manyAtOnce(random: Random): Recording {
  const perStep = random.between(2, 8);
  return endless(random, 'many at once', () =>
    Array.from({ length: perStep }, (_, n) => ({
      ...read({ tool: 'read_file', args: { path: 'src/a.ts' }, answer: page('a') }),
      ...(n > 0 && { beside: true as const }),
    })),
  );
}

/** A time limit that is another each time. */
export function otherLimits(random: Random): Recording {
  const noise = noiseOf(random);
  return endless(random, 'other time limits', (turn) => ({
    ...testRun(random, noise, 's0', 3),
    args: { command: 'npm test', timeoutMs: 60_000 + 1_000 * turn },
    incidental: ['timeoutMs'],
  }));
}
