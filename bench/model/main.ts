import { exitWithParent } from '../../src/embedded/exit-with-parent';
import { startScriptedModel } from '../../src/models/scripted/scripted-model';

/** The scripted model in a process of its own; its argument is the transcript. Its first message is its URL. */
async function main(): Promise<void> {
  exitWithParent();
  const model = await startScriptedModel({ transcript: JSON.parse(process.argv[2] ?? '') });
  process.once('SIGTERM', () => process.exit(0));
  process.send?.(model.url);
}

main().catch((error: unknown) => {
  process.stderr.write(`model: ${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
