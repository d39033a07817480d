import { paint } from './output';

/** As wide as the widest label. */
const labelWidth = 10;

/** One fact about an attempt on a line: what it is, then the fact. */
export const row = (label: string, text: string): string => `${paint('dim', label.padEnd(labelWidth))} ${text}`;
