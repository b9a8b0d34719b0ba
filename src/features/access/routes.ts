import type { Deps } from "#src/deps.ts";
import { newRouter } from "#src/http/router.ts";
import type { AccessNeeds } from "./needs.ts";
import { authRoutes } from "./auth_routes.ts";
import { databaseAuthRoutes } from "./database_routes.ts";
import { oidcRoutes } from "./oidc_routes.ts";
import { roleRoutes } from "./role_routes.ts";
import { userRoutes } from "./user_routes.ts";

export function accessRoutes(deps: AccessNeeds & Pick<Deps, "oidc" | "vault">) {
  const router = newRouter("framework");
  for (
    const it of [
      authRoutes(deps),
      oidcRoutes(deps),
      userRoutes(deps),
      roleRoutes(deps),
      databaseAuthRoutes(deps),
    ]
  ) {
    router.route("/", it);
  }
  return router;
}
