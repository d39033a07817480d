import { usualAddress } from '../../config/gateway';
import type { CommonOptions } from '../common-options';
import type { ExitCode } from '../exit-codes';
import { runProcess } from '../run-process';

/** One gateway of a distributed installation: the API and the console. */
export function gateway(options: CommonOptions): Promise<ExitCode> {
  return runProcess('gateway', options, [], (config) => {
    const { host, port } = config.gateway.address ?? usualAddress;
    const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
    const words = `The gateway serves ${url}; \`holdfast token create\` lets somebody in. Ctrl-C stops it.`;
    return { words, document: { url } };
  });
}
