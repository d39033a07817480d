/** A command that a person can copy, for whatever tenant it is about. */
export function commandText(tenant: string, ...words: readonly string[]): string {
  const line = ['holdfast', ...words].join(' ');
  return tenant === 'default' ? line : `${line} --tenant ${tenant}`;
}
