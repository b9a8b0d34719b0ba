import type { Deps } from "#src/deps.ts";
import { bulkRoutes } from "./bulk/routes.ts";
import { paRoutes } from "./pa/routes.ts";
import { pollingRoutes } from "./polling/routes.ts";
import { receivedRoutes } from "./received/routes.ts";
import { sendingRoutes } from "./sending/routes.ts";
import { statusRoutes } from "./status_messages/routes.ts";

/** The routes of the rooms inside. */
export function submissionRoutes(deps: Deps) {
  return [
    pollingRoutes(deps),
    receivedRoutes(deps),
    statusRoutes(deps),
    paRoutes(deps),
    sendingRoutes(deps),
    bulkRoutes(deps),
  ];
}
