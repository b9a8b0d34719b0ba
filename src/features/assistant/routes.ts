import type { Deps } from "#src/deps.ts";
import type { Shared } from "#src/features/connectors/mod.ts";
import { conversationRoutes } from "./conversations/routes.ts";
import { mcpRoutes } from "./mcp/routes.ts";
import { shareRoutes } from "./shares/routes.ts";
import { toolRoutes } from "./tools/routes.ts";
import { turnRoutes } from "./turns/routes.ts";
import type { TurnNeeds } from "./turns/run_turn.ts";

/** `shared` is of the process: queries of tools have the same cache and turns as others. */
export function assistantRoutes(
  deps: Omit<TurnNeeds, "shared"> & Pick<Deps, "accounts" | "mcp" | "pdf">,
  shared: Shared,
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
