#!/usr/bin/env node
import { runCommandLine } from './cli/run';

// A reader that has seen enough (`holdfast list | head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

runCommandLine(process.argv.slice(2)).then((code) => {
  // Ends also what still waits for an answer; what was written is out first.
  process.stdout.write('', () => process.exit(code));
});
