/**
 * Marks a text from outside as data. The closing mark does not occur in the text, so nothing in it can end the fence
 * and speak as the runtime.
 */
export function fence(text: string): string {
  let mark = 'data';
  for (let k = 1; text.includes(`</${mark}>`); k += 1) mark = `data-${k}`;
  return `<${mark}>\n${text}\n</${mark}>`;
}
