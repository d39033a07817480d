/** An action of the attempt as item ids and pointers name it. */
export const placeText = ({ step, index }: { readonly step: number; readonly index: number }) => `s${step}.a${index}`;
