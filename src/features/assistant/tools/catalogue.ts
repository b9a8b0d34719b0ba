import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { nearest } from "#src/kernel/text.ts";
import { configuredTools } from "./configured.ts";
import { productTools } from "./product_tools.ts";
import type { Tool, ToolCaller, ToolNeeds } from "./tool.ts";

/** The tools this caller may call at this moment, by name; they run on the settings as they are now. */
export function toolsOf(needs: ToolNeeds, caller: ToolCaller): ReadonlyMap<string, Tool> {
  const snapshot = needs.configuration.current();
  const tools = [
    ...productTools(needs, snapshot, caller),
    ...configuredTools(needs, snapshot, caller),
  ];
  return new Map(tools.map((it) => [it.name, it]));
}

/** Throws AppError `conflict` where a tool is not what it was when a call of it was shown. */
export function checkUnchanged({ name, tag }: Tool, shown: string): void {
  if (tag === shown) return;
  throw new AppError(
    "conflict",
    say`What ${name} does, where, or what it takes from your account has changed since the call was shown`,
  );
}

/** Throws AppError `not_found`, also for a tool the caller may not call: nobody learns of it. */
export function findTool(tools: ReadonlyMap<string, Tool>, name: string): Tool {
  const tool = tools.get(name);
  if (tool) return tool;
  const meant = nearest(name, tools.keys());
  const shown = name.slice(0, 64);
  throw new AppError(
    "not_found",
    meant === undefined
      ? say`There is no tool ${shown} you may call`
      : say`There is no tool ${shown} you may call; did you mean ${meant}?`,
  );
}
