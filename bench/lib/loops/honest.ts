import { type Noise, noiseOf } from './noise';
import type { Random } from './random';
import type { RecordedCall, Recording } from './recorded-call';

type Change = Partial<RecordedCall> & Pick<RecordedCall, 'tool' | 'args' | 'answer'>;
export const read = (change: Change): RecordedCall => ({ effect: 'none', planStep: '', environment: 's0', ...change });

const page = (name: string) =>
  Array.from({ length: 12 }, (_, line) => `line ${line + 1} of ${name}: export const part${line} = ${line};`).join(
    '\n',
  );

/** A job that is asked about until it is done: the same answer for a while, by a tool that says it is polled, or one that counts. */
export function honestPolling(random: Random): Recording {
  const declared = random.next() < 0.5;
  const noise = noiseOf(random);
  const polls = random.between(20, 50);
  const calls: RecordedCall[] = [];
  for (let poll = 0; poll < polls; poll += 1) {
    const says = declared ? `pending ${noise()}` : `${Math.floor((100 * poll) / polls)}% done ${noise()}`;
    const asked = { tool: 'job_state', args: { job: 'build-17' }, ...(declared && { polling: 50 }) };
    calls.push(read({ ...asked, answer: says }));
    if (random.next() < 0.15) calls.push(read({ ...asked, answer: 'connection refused', failure: 'tool_transient' }));
    if (random.next() < 0.1)
      calls.push(read({ tool: 'read_log', args: { job: 'build-17', from: poll }, answer: page(`log ${poll}`) }));
  }
  return { name: declared ? 'declared, same answer' : 'not declared, other answer', calls };
}

/** A bug that takes long: edits, and the tests after each; now and then nothing is gained, or the tests are run again. */
export function editTestCycles(random: Random): Recording {
  const calls: RecordedCall[] = [];
  const noise = noiseOf(random);
  let failing = random.between(6, 12);
  let version = 0;
  for (let cycle = 0; cycle < 25; cycle += 1) {
    const file = `src/part-${random.between(1, 4)}.ts`;
    const environment = `s${version}`;
    calls.push(read({ tool: 'read_file', args: { path: file }, environment, answer: `${page(file)}\nv${version}` }));
    version += 1;
    const patch = `--- a/${file}\n+++ b/${file}\n@@ -1 +1 @@\n-${version - 1}\n+${version}\n`;
    calls.push({
      ...read({ tool: 'apply_patch', args: { patch }, environment, answer: 'Patched 1 file.' }),
      effect: 'workspace',
      snapshot: `s${version}`,
    });
    if (random.next() < 0.7 && failing > 0) failing -= 1;
    const runs = random.next() < 0.2 ? 2 : 1;
    for (let run = 0; run < runs; run += 1) calls.push(testRun(random, noise, `s${version}`, failing));
  }
  return { name: 'edit and test', calls };
}

export const testRun = (random: Random, noise: Noise, environment: string, failing: number): RecordedCall => ({
  ...read({
    tool: 'run_command',
    args: { command: 'npm test' },
    environment,
    answer: `exit code ${failing > 0 ? 1 : 0}\n${noise()}\nTests:       ${failing} failed, ${20 - failing} passed, 20 total\nTime:        ${random.between(1, 9)}.${random.between(0, 9)} s`,
  }),
  effect: 'workspace',
  snapshot: environment,
});

/** The same files before and after each patch, other files with the same content, and searches that find nothing. */
export function readPatchRead(random: Random): Recording {
  const calls: RecordedCall[] = [];
  const twins = random.between(2, 6);
  for (let version = 0; version < 15; version += 1) {
    const environment = `s${version}`;
    const look = () => read({ tool: 'read_file', args: { path: 'src/a.ts' }, environment, answer: page('a') });
    calls.push(look());
    for (let twin = 0; twin < twins; twin += 1)
      calls.push(
        read({ tool: 'read_file', args: { path: `pkg-${twin}/LICENSE` }, environment, answer: page('the license') }),
      );
    for (let search = random.between(0, 4); search > 0; search -= 1)
      calls.push(
        read({
          tool: 'search_text',
          args: { pattern: `name${version}_${search}` },
          environment,
          answer: 'No matches.',
        }),
      );
    calls.push({
      ...read({ tool: 'apply_patch', args: { patch: `@@ ${version} @@` }, environment, answer: 'Patched 1 file.' }),
      effect: 'workspace',
      snapshot: `s${version + 1}`,
    });
    calls.push(read({ ...look(), environment: `s${version + 1}` }));
  }
  return { name: 'read, patch, read', calls };
}

/** What a package checks, and what each says where all is well; some run the same tests under another name. */
const checks: readonly (readonly [command: string, green: string])[] = [
  ['npm test', 'Tests:       20 passed, 20 total'],
  ['npm run lint', ''],
  ['npm run build', '> build\n> tsc -p .'],
  ['npx tsc', ''],
  ['npm test -- parser', 'Tests:       7 passed, 7 total'],
  ['npm test -- lexer', 'Tests:       7 passed, 7 total'],
  ['npm run test unit', 'Tests:       20 passed, 20 total'],
  ['npx jest src', 'Tests:       20 passed, 20 total'],
];

/** A change that is finished: every check there is, green, in one snapshot, and now and then one of them once more. */
export function greenChecks(random: Random): Recording {
  const calls: RecordedCall[] = [];
  const noise = noiseOf(random);
  for (let version = 0; version < 8; version += 1) {
    for (const [command, says] of checks) {
      const answer = `exit code 0\n${says && noise()}\n${says}`;
      const green = { ...testRun(random, noise, `s${version}`, 0), args: { command }, answer };
      calls.push(green, ...(random.next() < 0.1 ? [green] : []));
    }
    const { environment, ...patch } = read({
      tool: 'apply_patch',
      args: { patch: `@@ ${version} @@` },
      answer: 'Patched.',
    });
    calls.push({ ...patch, environment: `s${version}`, effect: 'workspace', snapshot: `s${version + 1}` });
  }
  return { name: 'green checks', calls };
}

/** Long work whose view is compacted again and again: what it goes by is read once more in each view. */
export function lookingAgain(random: Random): Recording {
  const calls: RecordedCall[] = [];
  const guide = read({ tool: 'read_file', args: { path: 'CONTRIBUTING.md' }, answer: page('the guide') });
  const planned = random.next() < 0.5;
  for (let view = 0; view < 12; view += 1) {
    const asked = { ...guide, planStep: planned ? `part ${view}` : '' };
    calls.push({ ...asked, ...(planned ? { planDone: view } : { compacted: true }) });
    for (let n = random.between(9, 40); n > 0; n -= 1)
      calls.push(read({ tool: 'read_file', args: { path: `src/${view}/${n}.ts` }, answer: page(`${view} ${n}`) }));
  }
  return { name: 'one look in each view', calls };
}

const countries = ['germany', 'france', 'spain', 'italy', 'poland', 'norway', 'austria', 'ireland', 'greece', 'latvia'];

/** Questions of other things, each answered by the same page, which says that there is nothing. */
export function searchesInVain(random: Random): Recording {
  const page = `No articles were found for your search. ${'Try fewer words, or look through the list of topics. '.repeat(4)}`;
  const about = random.pick(['refund policy', 'return window', 'customs duty for a parcel']);
  const asked = random.pick(['query', 'question', 'q']);
  const calls = countries
    .slice(0, random.between(5, countries.length))
    .map((country) => read({ tool: 'search_help', args: { [asked]: `${about} ${country}` }, answer: page }));
  return { name: 'searches in vain', calls };
}

/** When each of many orders was delivered: the answers differ in a time alone, which is what was asked. */
export function datesOfOrders(random: Random): Recording {
  const inWords = random.next() < 0.5;
  const first = random.between(1_000, 90_000);
  const calls = Array.from({ length: random.between(10, 60) }, (_, n) => {
    const at = new Date(Date.UTC(2026, random.between(0, 11), random.between(1, 28), random.between(0, 23)));
    const args = inWords ? { query: `delivery of the order ${first + n}` } : { orderId: String(first + n) };
    const answer = `The parcel was delivered at ${at.toISOString()}. ${'It was handed to the recipient at the door. '.repeat(3)}`;
    return read({ tool: 'track', args, answer });
  });
  return { name: 'dates of orders', calls };
}

/** Each of many servers is looked at once, and all are well. */
export function manyTargets(random: Random): Recording {
  const noise = noiseOf(random);
  const calls = Array.from({ length: random.between(24, 90) }, (_, n) =>
    read({
      tool: 'check_health',
      args: { host: `web-${n}` },
      answer: `${noise()} {"status":"healthy","checks":{"disk":"ok","memory":"ok","queue":"ok","certificate":"ok","clock":"ok"}}`,
    }),
  );
  return { name: 'many targets', calls };
}

/** Honest work that a loop begins after. */
export function prelude(random: Random): RecordedCall[] {
  return Array.from({ length: random.between(5, 40) }, (_, n) =>
    read({ tool: 'read_file', args: { path: `src/file-${n}.ts` }, answer: page(`file ${n}`) }),
  );
}
export { page };
