import type { ActionRow, Inserts } from '../activities/ledger-port';
import { jsonParam } from './json';

/** More than are proposed and not yet run on one worker; arguments are 16 KiB at most in a row, so 8 MB at most. */
const actionsKeptMax = 500;

/** Actions that this process proposed: their rows never change, and most are run by the process that proposed them. */
export class ActionCache {
  /** The oldest is the first entry. */
  private readonly kept = new Map<string, ActionRow>();

  find(attempt: number, step: number, index: number): ActionRow | undefined {
    return this.kept.get(`${attempt}/${step}/${index}`);
  }

  keep(attempt: number, { step, index, call_id, tool, args, args_hash }: Inserts['actions']): void {
    const [oldest] = this.kept.keys();
    if (this.kept.size >= actionsKeptMax && oldest !== undefined) this.kept.delete(oldest);
    // As the ledger gives it back: it takes no NUL and no half of a sign.
    const stored: ActionRow = JSON.parse(jsonParam({ step, index, callId: call_id, tool, args, argsHash: args_hash }));
    this.kept.set(`${attempt}/${step}/${index}`, stored);
  }
}
