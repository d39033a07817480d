/** The control character that what a terminal is told begins with. */
export const terminalEscape = String.fromCharCode(27);
