/**
 * Marks a text from outside as data, or as whose it is. The closing mark does not occur in the text, so nothing in it can end the
 * fence and speak as the runtime.
 */
export function fence(text: string, as: 'data' | 'user' = 'data'): string {
  let mark: string = as;
  for (let k = 1; text.includes(`</${mark}>`); k += 1) mark = `${as}-${k}`;
  return `<${mark}>\n${text}\n</${mark}>`;
}
