import type { Deps } from "#src/deps.ts";
import type { QueryState } from "#src/framework/connectors/mod.ts";
import { conversationRoutes } from "./conversations/routes.ts";
import { mcpRoutes } from "./mcp/routes.ts";
import { shareRoutes } from "./shares/routes.ts";
import { toolRoutes } from "./tools/routes.ts";
import { turnRoutes } from "./turns/routes.ts";
import type { TurnDeps } from "./turns/run_turn.ts";

/**
 * Creates the assistant's routes. `shared` belongs to the process: tools use the same query cache and limits as other
 * callers.
 */
export function assistantRoutes(
  deps: Omit<TurnDeps, "shared"> & Pick<Deps, "accounts" | "mcp" | "pdf">,
  shared: QueryState,
) {
  const needs = { ...deps, shared };
  return [
    toolRoutes(needs),
    turnRoutes(needs),
    conversationRoutes(deps),
    shareRoutes(deps),
    mcpRoutes(needs),
  ];
}
