import { type Audience, audiences } from './audiences';

/** What a token may be given. */
export const roles = ['user', 'approver', 'operator', 'auditor'] as const;
export type Role = (typeof roles)[number];

/** Whoever asks something of the gateway, once it is known who they are. */
export interface Caller {
  readonly tenant: string;
  readonly principal: string;
  readonly roles: readonly Role[];
  /** ISO 8601, UTC; null where what they showed says nothing of an end. */
  readonly expiresAt: string | null;
}

/** What can be asked by HTTP. */
export type Act =
  | 'read'
  | 'start'
  | 'say'
  | 'cancel'
  | 'suspend'
  | 'resume'
  | 'fork'
  | 'approve'
  | 'deny'
  | 'reconcile'
  | 'raise'
  | 'metrics'
  | 'decode';

/**
 * The one table of who may do what. Who may approve a certain action is the policy's word beyond this; what of an event a reader
 * sees is that of `audiences`.
 */
const mayDo: { readonly [Name in Act]: readonly Role[] } = {
  read: ['user', 'approver', 'operator', 'auditor'],
  start: ['user', 'operator'],
  say: ['user', 'operator'],
  cancel: ['user', 'operator'],
  suspend: ['user', 'operator'],
  resume: ['user', 'operator'],
  fork: ['user', 'operator'],
  approve: ['approver'],
  deny: ['approver'],
  reconcile: ['operator'],
  raise: ['operator'],
  metrics: ['operator'],
  decode: ['operator', 'auditor'],
};

export const mayAct = (caller: Pick<Caller, 'roles'>, act: Act): boolean =>
  mayDo[act].some((role) => caller.roles.includes(role));

/** The roles of which one is needed. */
export const rolesFor = (act: Act): readonly Role[] => mayDo[act];

const seesAs: { readonly [Name in Role]: Audience } = {
  user: 'user',
  approver: 'user',
  operator: 'operator',
  auditor: 'auditor',
};

/** The audience that sees most of those that the roles are (R10.4). */
export function audienceOf({ roles }: Pick<Caller, 'roles'>): Audience {
  const most = Math.max(...roles.map((role) => audiences.indexOf(seesAs[role])));
  return audiences[most] ?? 'model';
}
