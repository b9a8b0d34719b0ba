import { body, failing, json, newRouter, route } from "#src/http/router.ts";
import type { AccessDeps } from "../needs.ts";
import { explainPermission, whatIf } from "./explain.ts";
import { ExplainQuery, PermissionExplained, Prospect, WhatIfBody } from "./schemas.ts";

const READ = { "x-permission": "users:read" as const, tags: ["Users and roles"] };

const explain = route({
  ...READ,
  method: "get",
  operationId: "explainPermission",
  path: "/admin/permissions/explain",
  summary: "Explain a permission",
  description:
    "For administrators of users. The answer shows the grant and the roles that allow or would allow the action.",
  request: { query: ExplainQuery },
  responses: {
    200: json(PermissionExplained, "Decision with the roles that grant the code"),
    ...failing(404),
  },
});
const prospect = route({
  ...READ,
  method: "post",
  operationId: "previewRoles",
  path: "/admin/permissions/what-if",
  "x-audit": false as const,
  summary: "Preview roles",
  description:
    "For administrators of users. The answer shows the permissions of the given roles, and with `user` the differences to a user. Nothing changes.",
  request: { body: body(WhatIfBody) },
  responses: {
    200: json(Prospect, "Permissions of the roles; with a user also the differences"),
    ...failing(404, 422),
  },
});

export function permissionRoutes(deps: AccessDeps) {
  return newRouter("framework")
    .openapi(explain, async (c) => {
      const { chains, granting, ...it } = await explainPermission(deps, c.req.valid("query"));
      const chainsOf = chains.map((it) => [...it]);
      return c.json({ ...it, chains: chainsOf, granting: [...granting] }, 200);
    })
    .openapi(prospect, async (c) => {
      const { roles, user } = c.req.valid("json");
      const { permissions, gained, lost } = await whatIf(deps, { roles, user });
      const answer = { permissions: [...permissions], gained: [...gained], lost: [...lost] };
      return c.json(answer, 200);
    });
}
