import type { Deps } from "#src/deps.ts";
import { pageOf } from "#src/http/list.ts";
import { json, newRouter, route } from "#src/http/router.ts";
import { verifyAudit } from "./record_audit.ts";
import { AuditChain, AuditList, AuditQuery } from "./schemas.ts";
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

const verify = route({
  method: "post",
  operationId: "verifyAudit",
  path: "/admin/audit/verify",
  "x-permission": "audit:read",
  "x-audit": false,
  tags: ["Audit"],
  summary: "Whether every entry follows from the one before: none was changed, removed or put in",
  responses: { 200: json(AuditChain, "How far the chain holds") },
});

export function auditRoutes(deps: Pick<Deps, "db">) {
  // Reads the whole trail: whoever asks meanwhile gets the same answer.
  let verifying: ReturnType<typeof verifyAudit> | undefined;
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
  }).openapi(verify, async (c) => {
    verifying ??= verifyAudit(deps).finally(() => verifying = undefined);
    const { rows, brokenAt } = await verifying;
    return c.json({ entries: rows, broken_at: brokenAt ?? null }, 200);
  });
}
