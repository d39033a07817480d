/** `nobody`: nobody can be asked here. `stop`: whoever was asked wants to end the demo. */
export type Asked = 'approve' | 'deny' | 'nobody' | 'stop';

export interface AskOptions {
  /** Approves without asking. */
  readonly yes: boolean;
  /** The name under which is answered. */
  readonly by: string;
  /** Standard output is for a program, so nobody is asked on it. */
  readonly quiet: boolean;
  readonly signal: AbortSignal;
}

/** Asks on a terminal, where this is one, whether to approve what was just shown. */
export async function askApproval({ yes, by, quiet, signal }: AskOptions): Promise<Asked> {
  if (yes) return 'approve';
  if (quiet || !process.stdin.isTTY || !process.stdout.isTTY) return 'nobody';
  const { confirm, isCancel } = await import('@clack/prompts');
  const answer = await confirm({
    message: `You are ${by} of finance. Approve?`,
    active: 'Approve',
    inactive: 'Deny',
    initialValue: true, // it is play money
    signal,
  });
  if (isCancel(answer)) return 'stop';
  return answer ? 'approve' : 'deny';
}
