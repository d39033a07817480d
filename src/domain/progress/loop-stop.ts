/** Codes of a call that the ladder did not let run (R7.3). */
const stops: readonly string[] = ['REPLAN_REQUIRED', 'LOOP_DETECTED'];

export const isLoopStop = (failure: string | null): boolean => failure !== null && stops.includes(failure);
