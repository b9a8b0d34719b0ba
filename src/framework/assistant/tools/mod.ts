export { findLack } from "./grounds.ts";
export { checkUnchanged, listTools, requireTool } from "./catalogue.ts";
export {
  type Confirmation,
  CONFIRMATIONS,
  type Grounds,
  type Tool,
  type ToolCaller,
  type ToolDeps,
} from "./tool.ts";
export { recordDecision } from "./record_decision.ts";
export { cutResult, type ToolResult, wordsOfResult } from "./tool_result.ts";
