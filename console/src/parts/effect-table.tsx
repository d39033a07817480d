import type { Answers } from '../../../src/gateway/answers';
import { clock } from '../words';

/** One row an effect, as the ledger has it. */
export function EffectTable({ effects }: Pick<Answers['AttemptDocument'], 'effects'>) {
  if (effects.length === 0) return <p class="empty">It has done nothing outside its workspace.</p>;
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            {[
              'Action',
              'Tool',
              'Target',
              'Phase',
              'Tries',
              'Sent',
              'Committed',
              'By whose leave',
              'Their id',
              'Key',
            ].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {effects.map((effect) => (
            <tr key={effect.key}>
              <th scope="row">{effect.actionId.slice(effect.actionId.lastIndexOf('/') + 1)}</th>
              <td>{effect.tool}</td>
              <td>{effect.target}</td>
              <td>
                <span class={`badge ${tones[effect.phase] ?? 'busy'}`}>
                  {effect.phase.toLowerCase().replaceAll('_', ' ')}
                </span>
              </td>
              <td class="number">{effect.tries}</td>
              <td>{effect.sentAt === null ? '' : clock(effect.sentAt)}</td>
              <td>{effect.committedAt === null ? '' : clock(effect.committedAt)}</td>
              <td>
                {effect.authorization.rule}
                {effect.authorization.approvedBy.length > 0 && `: ${effect.authorization.approvedBy.join(', ')}`}
              </td>
              <td>{effect.downstreamId ?? ''}</td>
              <td>
                <code class="hash">{effect.key}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const tones: Readonly<Record<string, string>> = {
  COMMITTED: 'good',
  NOT_COMMITTED: 'plain',
  UNKNOWN: 'wait',
  COMPENSATED: 'plain',
};
