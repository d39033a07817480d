/**
 * Long recorded attempts, honest and looping, before the code that judges repeats (R7): false alarms, and the repeat at
 * which each loop was stopped. The same numbers give the same recordings; the table of docs/loops.md is written anew.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loopMarkdown, loopTable } from './lib/loops/loop-table';
import { readOptions } from './lib/options';
import { printReport } from './lib/report';
import { runBench } from './lib/run-bench';

/** As published. */
const published = 20;
/** A true loop is stopped by its fourth repeat; other calls with nothing new by the lighter measure of their weight. */
const loopMax = 4;
const nothingNewMax = 16;
const page = join(process.cwd(), 'docs/loops.md');

const options = readOptions('Loops: false alarms, and the repeat at which a true loop is stopped.', {
  recordings: { value: published, about: 'recordings of each kind; docs/loops.md is written only with this number' },
});

async function main(): Promise<void> {
  const { recordings } = options.numbers;
  const rows = loopTable(recordings);
  if (recordings === published) {
    const text = readFileSync(page, 'utf8');
    writeFileSync(page, text.replace(/(<!-- table -->\n)[\s\S]*?(\n<!-- end -->)/, `$1${loopMarkdown(rows)}$2`));
  }
  printReport(
    {
      bench: 'loops',
      tables: [
        {
          title: 'Recorded loops',
          head: ['', 'recordings', 'calls', 'false alarms', 'stopped', 'not run from repeat', 'ended by repeat'],
          rows: rows.map((row) => [
            row.kind,
            row.recordings,
            row.calls,
            row.falseAlarms,
            row.stopped,
            row.refusedBy,
            row.endedBy,
          ]),
        },
      ],
      targets: rows.flatMap(({ kind, isLoop, falseAlarms, stopped, endedBy }) => [
        { name: `${kind}: false alarms`, value: falseAlarms, atMost: 0, unit: '' },
        ...(isLoop
          ? [
              { name: `${kind}: not stopped`, value: recordings - stopped, atMost: 0, unit: '' },
              {
                name: `${kind}: ended by repeat`,
                value: endedBy,
                atMost: kind.startsWith('true loops') ? loopMax : nothingNewMax,
                unit: '',
              },
            ]
          : []),
      ]),
      data: rows,
    },
    options.json,
  );
}

runBench(main);
