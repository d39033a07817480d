import type { MemoryLedger } from '../memory/ledger';
import type { Violations } from './violations';

/** R1.2: what was proposed before the goal was revised is never first sent after it. Looked at after each commit of an attempt. */
export class RevisionRules {
  private readonly sent = new Set<string>();

  check({ tables }: MemoryLedger, attempt: number, found: Violations): void {
    const row = tables.attempts.get(attempt)?.head.row;
    for (const [key, effect] of tables.effects) {
      if (effect.attempt !== attempt) continue;
      if (effect.sentAt === null) {
        this.sent.delete(key);
        continue;
      }
      if (this.sent.has(key)) continue;
      this.sent.add(key);
      const revised = row?.revisedAfterStep ?? null;
      found.expect(
        revised === null || effect.step > revised,
        'R1.2',
        () => `${key} of step ${effect.step} is sent although the goal was revised after step ${revised}`,
      );
    }
  }
}
