import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from './problem';

/** Names of this machine, under which a gateway that listens on it alone is reached. */
const ownNames = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Refuses a request that was sent to another name than the gateway's (a page that has its own name point here, DNS rebinding), and one
 * that a page of another origin sends. `hosts`: what else it is called, without a port. Throws Problem.
 */
export function checkOrigin(
  { host, origin }: Pick<IncomingHttpHeaders, 'host' | 'origin'>,
  hosts: readonly string[],
): void {
  const name = host === undefined ? undefined : nameIn(`http://${host}`);
  const ours = (one: string | undefined) => one !== undefined && (ownNames.has(one) || hosts.includes(one));
  if (!ours(name))
    throw new Problem('misdirected', 'This gateway is not called so.', {
      next: 'Name it in holdfast.yaml: `gateway: { hosts: [NAME] }`.',
    });
  if (origin !== undefined && !ours(nameIn(origin)))
    throw new Problem('forbidden', 'A page of another origin may not ask this gateway.');
}

function nameIn(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}
