import type { Deps } from "#src/deps.ts";
import { newRouter } from "#src/http/router.ts";
import { databaseAuthRoutes } from "./database/routes.ts";
import type { AccessDeps } from "./needs.ts";
import { oidcRoutes } from "./sessions/oidc_routes.ts";
import { sessionRoutes } from "./sessions/routes.ts";
import { roleRoutes } from "./users/role_routes.ts";
import { permissionRoutes } from "./users/permission_routes.ts";
import { userRoutes } from "./users/user_routes.ts";

export function accessRoutes(deps: AccessDeps & Pick<Deps, "oidc" | "vault">) {
  const router = newRouter("framework");
  for (
    const it of [
      sessionRoutes(deps),
      oidcRoutes(deps),
      userRoutes(deps),
      roleRoutes(deps),
      permissionRoutes(deps),
      databaseAuthRoutes(deps),
    ]
  ) {
    router.route("/", it);
  }
  return router;
}
