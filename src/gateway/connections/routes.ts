import type { Deps } from "#src/deps.ts";
import { checkPermission } from "#src/http/guard.ts";
import { body, failing, json, newRouter, route } from "#src/http/router.ts";
import { translateWithin } from "#src/kernel/i18n/sentence.ts";
import { Connections, KindPath, TestBody, Tested } from "./schemas.ts";
import { VARIABLES_OF } from "./kinds.ts";
import { showConnections } from "./show_connections.ts";
import { createTests, type TestDeps } from "./test_connection.ts";

const TAGS = { tags: ["Connections"] };

const list = route({
  ...TAGS,
  method: "get",
  operationId: "listConnections",
  path: "/api/connections",
  "x-permission": "templates:read",
  summary: "List connections",
  description:
    "For administrators of the connections. Nothing is called. Pools are listed only with `connectors:read`.",
  responses: { 200: json(Connections, "Connections with their last result") },
});

const test = route({
  ...TAGS,
  method: "post",
  operationId: "testConnection",
  "x-audit": "connection.tested",
  "x-once": false,
  path: "/api/connections/{kind}/test",
  "x-permission": "templates:write",
  summary: "Test a connection",
  description:
    "For administrators of the connections. The test makes a small real call within 15 seconds. `mail` sends an e-mail to the caller, `directory` looks up the company's own SIREN. The status is 200 even when the test fails.",
  request: { params: KindPath, body: body(TestBody) },
  responses: { 200: json(Tested, "Result of the test"), ...failing(404, 422, 429) },
});

export function connectionRoutes(
  deps: TestDeps & Pick<Deps, "configuration" | "databases" | "llm" | "oidc">,
) {
  const testConnection = createTests(deps);
  return newRouter("invoicing")
    .openapi(list, async (c) => {
      const withPools = c.var.access.allows(c.var.actor, "connectors:read");
      const withHosts = c.var.access.allows(c.var.actor, "settings:pools");
      const shown = await showConnections(deps, { withPools, withHosts });
      const isFrench = c.var.language === "fr";
      const connections = shown.map(({ kind, name, state, peer, last }) => ({
        kind,
        name,
        state,
        peer: peer ?? null,
        checkedAt: last?.checkedAt.toISOString() ?? null,
        succeededAt: last?.succeededAt?.toISOString() ?? null,
        failingSince: last?.failingSince?.toISOString() ?? null,
        reason: (isFrench ? last?.reasonFr : last?.reason) ?? null,
        ...VARIABLES_OF[kind] && {
          variables: VARIABLES_OF[kind].map((it) => ({
            name: it,
            isSet: deps.settings.access.setVariables.includes(it),
          })),
        },
        ...kind === "oidc" && { redirectUri: deps.settings.access.redirectUri ?? null },
      }));
      return c.json({ connections }, 200);
    })
    .openapi(test, async (c) => {
      const { kind } = c.req.valid("param");
      const { name = "", properties, pool } = c.req.valid("json");
      if (kind === "pool") await checkPermission(c, "connectors:read");
      if (properties) await checkPermission(c, "setup:write");
      if (pool) await checkPermission(c, "settings:pools");
      c.set("target", name ? `${kind} ${name}` : kind);
      const { isWorking, isTested, message, fingerprint, fields } = await testConnection({
        kind,
        name,
        properties,
        pool,
        by: c.var.actor,
        maySeeReason: c.var.access.allows(c.var.actor, "settings:pools"),
        language: c.var.language,
        signal: c.req.raw.signal,
      });
      const values = properties || pool ? "typed" : "stored"; // the values themselves may be secrets
      c.set("after", { values, works: isWorking });
      return c.json({
        works: isWorking,
        tested: isTested,
        message: message[c.var.language],
        ...fingerprint !== undefined && { fingerprint },
        ...fields && { fields: translateWithin(fields, c.var.language) as Record<string, string> },
      }, 200);
    });
}
