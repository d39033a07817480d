/** Whether a host is one of a list; `*.example.com` stands for every host below example.com and not for itself. */
export function hostAllowed(host: string, allowed: readonly string[]): boolean {
  const name = normal(host);
  return allowed.map(normal).some((entry) => (entry.startsWith('*.') ? name.endsWith(entry.slice(1)) : name === entry));
}

/** Names of hosts know no case, and a dot at the end only says that nothing is left out. */
const normal = (host: string) => host.toLowerCase().replace(/\.$/, '');
