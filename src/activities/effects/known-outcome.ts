import type { Effect } from '../../domain/effect/effect';
import { failed } from '../../domain/failure/failed';
import type { Call } from '../../protocol/calls';
import type { AttemptTx } from '../ledger-port';
import { type Observed, observe, observeError, type Words } from '../observe';
import type { ToolDefinition } from '../ports';

/** Who did it; by its name alone where it is not here any more. */
type Known = Pick<ToolDefinition, 'name' | 'untrusted'>;

/** The settled outcome of an operation becomes the observation of an action that asks for it (E1). Nothing is sent. */
export async function observeKnown(tx: AttemptTx, call: Call<'act'>, tool: Known, effect: Effect): Promise<Observed> {
  if (effect.phase === 'NOT_COMMITTED')
    return observeError(tx, call.args, { about: tool.name }, notCommitted(tool.name, effect));
  return observe(tx, call.args, outcomeWords(tool, effect), { ok: true, output: '' }, await outcomeText(tx, effect));
}

/** What became of an effect is told in the words of its tool, however late they came; a person's word is a person's. */
const outcomeWords = (tool: Known, { settledBy }: Effect): Words =>
  settledBy === 'person' ? { about: tool.name } : { of: tool };

function notCommitted(tool: string, { outcome, settledBy }: Effect) {
  const who = settledBy === 'person' ? 'A person found out' : 'It is certain';
  return failed(
    { class: 'tool_business', code: 'NOT_COMMITTED' },
    `${who} that this call of ${tool} took no effect${outcome ? `: ${outcome}` : '.'}`,
    'Decide anew; the same call again is a new action.',
  );
}

/** R4.3: the key stands for another operation, which is shown. */
export async function observeConflict(
  tx: AttemptTx,
  call: Call<'act'>,
  tool: Known,
  effect: Effect,
): Promise<Observed> {
  const args = await tx.argumentsOf(effect);
  const shown = args && 'text' in args ? args.text : 'too long to be shown';
  const refusal = failed(
    { class: 'tool_business', code: 'KEY_CONFLICT' },
    `The same business operation was done before with other arguments (${shown}); its outcome: ${await outcomeText(tx, effect)}`,
    'Use that outcome. Something else that is meant needs another business key.',
  );
  return observeError(tx, call.args, { of: tool, ran: false }, refusal);
}

async function outcomeText(tx: AttemptTx, effect: Effect): Promise<string> {
  const text = effect.outcome ?? (await tx.observationOf(effect))?.text ?? committedText(effect);
  return effect.phase === 'COMPENSATED' ? `${text}\n(It was undone later.)` : text;
}

const committedText = ({ tool, downstreamId }: Effect) =>
  `${tool} took effect${downstreamId === null ? '.' : `: ${downstreamId}.`}`;
