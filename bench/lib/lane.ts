/** `regular`: neither model nor tool is declared quick, so both calls are activities with a queue; `local`: both are. */
export const lanes = ['regular', 'local'] as const;
export type Lane = (typeof lanes)[number];
