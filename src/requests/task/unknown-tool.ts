/** For the author of a task file. */
export function unknownTool(tool: string, tools: readonly string[]): string {
  return `no tool is named "${tool}"; there are ${tools.join(', ')}`;
}
