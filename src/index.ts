/** What a tool module needs: `import { defineTool } from 'holdfast'`. */
export type {
  JobAnswer,
  JobCallback,
  JobWork,
  ProbeResult,
  SendResult,
  ToolContext,
  ToolDefinition,
  ToolResult,
  WriteContext,
} from './activities/ports';
export { defineTool } from './tools/define-tool';
export { Rejected, type RejectedOptions } from './tools/rejected';
