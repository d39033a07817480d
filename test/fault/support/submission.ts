import type { Transcript } from '../../../src/models/scripted/transcript-schema';
import { shopToolKinds, shopToolName } from './shop-tools';

const amounts = [40, 41];
const operations = ['same-regular', 'other-local'];

/** What an attempt is asked that submits an operation which others submit too. */
export const submission = (tool: string, operation: string, amount: number) => `${tool} ${operation} ${amount}`;

/** The model calls what it is asked for once, and says how it went. */
export const submissionTranscript: Transcript = {
  entries: shopToolKinds.map(shopToolName).flatMap((tool) =>
    operations.flatMap((op) =>
      amounts.flatMap((amount) => {
        const when = { lastUser: `use ${submission(tool, op, amount)} now` };
        return [
          { when: { ...when, lastTool: tool }, text: 'Done.' },
          { when, calls: [{ tool, args: { op, amount } }] },
        ];
      }),
    ),
  ),
};
