import { body, failing, json, newRouter, route } from "#src/http/router.ts";
import type { AccessNeeds } from "../needs.ts";
import { explainPermission, whatIf } from "./explain.ts";
import { ExplainQuery, PermissionExplained, Prospect, WhatIfBody } from "./schemas.ts";

const READ = { "x-permission": "users:read" as const, tags: ["Users and roles"] };

const explain = route({
  ...READ,
  method: "get",
  operationId: "explainPermission",
  path: "/admin/permissions/explain",
  summary: "Whether a user may do what a code stands for, by which grant of which role",
  request: { query: ExplainQuery },
  responses: { 200: json(PermissionExplained, "And which roles would allow it"), ...failing(404) },
});
const prospect = route({
  ...READ,
  method: "post",
  operationId: "previewRoles",
  path: "/admin/permissions/what-if",
  "x-audit": false as const,
  summary: "What somebody with these roles could do; changes nothing",
  request: { body: body(WhatIfBody) },
  responses: {
    200: json(Prospect, "With a user also what they would gain and lose"),
    ...failing(404, 422),
  },
});

export function permissionRoutes(deps: AccessNeeds) {
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
