/** What an action touches, known before it runs (R14.1). */
export interface Footprint {
  /** Paths inside the workspace; a folder stands for all below it, and the empty path for everything. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** The workspace that the paths are in; two workspaces share no path. */
  readonly workspace?: string;
  /** A thing outside, as the tool names it: `order:1042`. */
  readonly target?: { readonly name: string; readonly access: 'read' | 'write' };
  /** Whose credentials a write uses; writes under the same ones go one after another. */
  readonly credentialDomain?: string;
  /** It shows an attempt that has seen only trusted content what nobody vouches for; policy judges by that whatever comes after. */
  readonly taints?: true;
}

export function isWrite(footprint: Footprint): boolean {
  return footprint.writes.length > 0 || footprint.target?.access === 'write';
}

/** Whether the order of two actions can matter. Symmetric; two reads conflict only by what policy knows of the second one. */
export function conflict(a: Footprint, b: Footprint): boolean {
  if (a.taints || b.taints) return true;
  if (!isWrite(a) && !isWrite(b)) return false;
  return pathsMeet(a, b) || targetsMeet(a, b) || credentialsMeet(a, b);
}

function pathsMeet(a: Footprint, b: Footprint): boolean {
  if (a.workspace !== b.workspace) return false;
  return meet(a.writes, [...b.reads, ...b.writes]) || meet(b.writes, a.reads);
}

function meet(some: readonly string[], others: readonly string[]): boolean {
  return some.some((path) => others.some((other) => holds(path, other) || holds(other, path)));
}

function holds(folder: string, path: string): boolean {
  return folder === '' || folder === path || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

function targetsMeet({ target: a }: Footprint, { target: b }: Footprint): boolean {
  return a !== undefined && a.name === b?.name && (a.access === 'write' || b.access === 'write');
}

function credentialsMeet(a: Footprint, b: Footprint): boolean {
  return a.credentialDomain !== undefined && a.credentialDomain === b.credentialDomain && isWrite(a) && isWrite(b);
}
