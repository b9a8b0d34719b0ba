import type { Deps } from "#src/deps.ts";
import { pageOf } from "#src/http/list.ts";
import { json, newRouter, route } from "#src/http/router.ts";
import { AuditList, AuditQuery } from "./schemas.ts";
import { findRows } from "./store.ts";

const list = route({
  method: "get",
  operationId: "listAudit",
  path: "/admin/audit",
  "x-permission": "audit:read",
  tags: ["Audit"],
  summary: "Who did what and when, newest first; entries are never changed",
  request: { query: AuditQuery },
  responses: { 200: json(AuditList, "The page and the total of all pages") },
});

export function auditRoutes(deps: Pick<Deps, "db">) {
  return newRouter("framework").openapi(list, async (c) => {
    const { page, rest: filter } = pageOf(c.req.valid("query"));
    const { rows, ...counted } = await findRows(deps.db, filter, page);
    const entries = rows.map(({ previousHash: _, at, before, after, ...row }) => ({
      ...row,
      at: at.toISOString(),
      before: before ?? null,
      after: after ?? null,
    }));
    return c.json({ entries, ...counted }, 200);
  });
}
