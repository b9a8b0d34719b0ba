import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { nearest } from "#src/kernel/text.ts";
import { configuredTools } from "./configured.ts";
import { productTools } from "./product_tools.ts";
import type { Tool, ToolCaller, ToolDeps } from "./tool.ts";

/** The tools this caller may call at this moment, by name; they run on the settings as they are now. */
export function listTools(deps: ToolDeps, caller: ToolCaller): ReadonlyMap<string, Tool> {
  const snapshot = deps.configuration.current();
  const tools = [
    ...productTools(deps, snapshot, caller),
    ...configuredTools(deps, snapshot, caller),
  ];
  return new Map(tools.map((it) => [it.name, it]));
}

/** Throws AppError `conflict` when the tool has changed since its call was shown. */
export function checkUnchanged({ name, tag }: Tool, shown: string): void {
  if (tag === shown) return;
  throw new AppError(
    "conflict",
    say`The definition, the target or your account values of ${name} have changed since the call was shown`,
  );
}

/** Throws AppError `not_found`, also for a tool without permission, to hide that it exists. */
export function requireTool(tools: ReadonlyMap<string, Tool>, name: string): Tool {
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
