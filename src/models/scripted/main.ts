import { parseArgs } from 'node:util';
import { InputError } from '../../located-yaml/input-error';
import { startScriptedModel } from './scripted-model';

/** The scripted model as a process: `node dist/models/scripted/main.js TRANSCRIPT [--port N]`; ends on SIGTERM or SIGINT. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { port: { type: 'string' } } });
  const transcriptPath = positionals[0];
  const port = Number(values.port ?? 0);
  if (transcriptPath === undefined || positionals.length > 1 || !Number.isInteger(port) || port < 0 || port > 65_535) {
    fail('usage: main.js TRANSCRIPT [--port N]', 2);
    return;
  }
  const onUnmatched = (description: string) => process.stderr.write(`no entry fits: ${description}\n`);
  const model = await startScriptedModel({ transcriptPath, port, onUnmatched });
  process.stdout.write(`scripted model at ${model.url}\n`);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void model.stop());
}

function fail(message: string, code: number): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = code;
}

main().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  fail(message, error instanceof InputError ? 2 : 1);
});
