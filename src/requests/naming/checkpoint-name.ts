import { type AttemptRef, checkpointId } from '../../protocol/ids';
import { RequestRefused } from '../request-refused';

/** The move of a checkpoint that a person names by its place (c12) or its whole id. Throws RequestRefused where it is neither. */
export function checkpointNamed({ id }: Pick<AttemptRef, 'id'>, given: string): number {
  const place = given.startsWith(`${id}/`) ? given.slice(id.length + 1) : given;
  const [, n] = /^c(0|[1-9]\d{0,8})$/.exec(place) ?? [];
  if (n !== undefined) return Number(n);
  throw new RequestRefused(
    'invalid',
    `"${given}" names no checkpoint of ${id}.`,
    `It is named by its place (c12) or by its whole id (${checkpointId(id, 12)}); \`holdfast show ${id}\` lists them.`,
  );
}
