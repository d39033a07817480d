import { page, prelude, read, testRun } from './honest';
import { noiseOf } from './noise';
import type { Random } from './random';
import type { RecordedCall, Recording } from './recorded-call';

/** A loop that nobody stopped goes on for so many calls. */
const loopLength = 40;

function endless(random: Random, name: string, call: (turn: number) => RecordedCall): Recording {
  const before = prelude(random);
  return {
    name,
    calls: [...before, ...Array.from({ length: loopLength }, (_, turn) => call(turn))],
    loopFrom: before.length,
  };
}

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
