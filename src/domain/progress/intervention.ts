/** What is done about a call that gets the attempt nowhere, one rung after another (R7.3); ladder.ts says when. */
export const interventions = ['none', 'record', 'warn', 'replan', 'end'] as const;
export type Intervention = (typeof interventions)[number];
