/** Polls in a row that a tool may declare as honest: more than a process that takes over an attempt looks back on would begin anew. */
export const pollingLimitMax = 300;
