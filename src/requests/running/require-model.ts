import { attemptDetails } from '../../ledger/queries/attempt-details';
import type { AttemptRef } from '../../protocol/ids';
import { RequestRefused } from '../request-refused';
import type { Session } from '../session';

/**
 * What goes on from an attempt goes on with its models. Rejects with RequestRefused where the configuration names models, and none of
 * these: no step could be taken.
 */
export async function requireModel({ pool, config }: Pick<Session, 'pool' | 'config'>, ref: AttemptRef): Promise<void> {
  const own = await modelsOf(pool, ref);
  const known = Object.keys(config.models);
  if (known.length === 0 || own.length === 0 || own.some((name) => known.includes(name))) return;
  throw new RequestRefused(
    'no_model',
    `${ref.id} was started with ${own.length === 1 ? 'the model' : 'the models'} ${own.join(', ')}, and the configuration names ${known.join(', ')} alone: no step of it could be taken.`,
    `Name ${own.length === 1 ? 'it' : 'one of them'} under models in holdfast.yaml and start the worker anew; or begin another attempt with \`holdfast start TASK.yaml --model ${known[0]} --new\`.`,
  );
}

async function modelsOf(pool: Session['pool'], ref: AttemptRef): Promise<readonly string[]> {
  const { models } = (await attemptDetails(pool, ref)).versions;
  return Array.isArray(models) ? models : [];
}
