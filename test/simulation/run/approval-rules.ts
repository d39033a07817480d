import { actionId } from '../../../src/protocol/ids';
import type { MemoryLedger } from '../memory/ledger';
import { approvers } from '../outside/policy';
import type { Violations } from './violations';

/** An answer that counted is a message to this very request, by somebody who may answer, once (R5.3, R5.5). */
export function checkApprovals({ tables }: MemoryLedger, found: Violations): void {
  for (const { head, approvals, answers, inbox } of tables.attempts.values()) {
    for (const { approval: key, answer } of answers.values()) {
      const request = approvals.get(key);
      const message = inbox.get(answer.messageId);
      const name = `${head.row.ref.id} ${key} by ${answer.by}`;
      found.expect(approvers.includes(answer.by), 'R5.5', () => `${name}: not one of those who may answer`);
      const said = message?.message;
      if (!request || !said || (said.kind !== 'approve' && said.kind !== 'deny')) {
        found.add('R5.5', `${name}: no message says so`);
        continue;
      }
      const { binding, actionId: action } = said.body;
      found.expect(
        said.kind === answer.answer && message.disposition === 'taken',
        'R5.5',
        () => `${name}: ${said.kind}`,
      );
      found.expect(binding === undefined || binding === request.binding, 'R5.3', () => `${name}: another binding`);
      const meant = actionId(head.row.ref.id, request.step, request.index);
      found.expect(action === undefined || action === meant, 'R5.3', () => `${name}: meant ${action}`);
    }
  }
}
