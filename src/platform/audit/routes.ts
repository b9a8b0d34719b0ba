import { newSingleFlight } from "#src/kernel/concurrency/single_flight.ts";
import type { Deps } from "#src/deps.ts";
import { splitPage } from "#src/http/list.ts";
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
  summary: "List audit entries",
  description: "For auditors. Entries are never changed and are listed newest first.",
  request: { query: AuditQuery },
  responses: { 200: json(AuditList, "Page of the list with the total number of entries") },
});

const verify = route({
  method: "post",
  operationId: "verifyAudit",
  path: "/admin/audit/verify",
  "x-permission": "audit:read",
  "x-audit": false,
  tags: ["Audit"],
  summary: "Verify the audit trail",
  description: "For auditors. The check detects changed, removed and inserted entries.",
  responses: { 200: json(AuditChain, "Integrity of the chain") },
});

export function auditRoutes(deps: Pick<Deps, "db">) {
  // Verification reads the whole trail, so callers at the same time share one result.
  const share = newSingleFlight<Awaited<ReturnType<typeof verifyAudit>>>();
  return newRouter("framework").openapi(list, async (c) => {
    const { page, rest: filter } = splitPage(c.req.valid("query"));
    const { rows, ...counted } = await findRows(deps.db, filter, page);
    const entries = rows.map(({ previousHash: _, at, before, after, ...row }) => ({
      ...row,
      at: at.toISOString(),
      before: before ?? null,
      after: after ?? null,
    }));
    return c.json({ entries, ...counted }, 200);
  }).openapi(verify, async (c) => {
    const { rows, brokenAt } = await share(() => verifyAudit(deps));
    return c.json({ entries: rows, broken_at: brokenAt ?? null }, 200);
  });
}
