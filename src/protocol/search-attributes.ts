/** Keywords by which attempts are found in Temporal's own lists; used where registered, missed by nothing where not. */
export const searchAttributeNames = {
  tenant: 'HoldfastTenant',
  task: 'HoldfastTask',
  state: 'HoldfastState',
  kind: 'HoldfastKind',
} as const;
