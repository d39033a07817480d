import type { Criterion } from './contract';

/** Whether the model may learn what a check of the criterion found (R3.4): by feedback, and by whatever repeats it later. */
export const feedbackAllowed = ({ repair, sealed }: Pick<Criterion, 'repair' | 'sealed'>): boolean =>
  repair !== false && sealed !== true;
