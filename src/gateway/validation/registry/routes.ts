import type { Context } from "hono";
import type { Deps } from "#src/deps.ts";
import type { HttpEnv } from "#src/http/env.ts";
import { toWindow, windowQuery } from "#src/http/list.ts";
import { MB } from "#src/http/intake.ts";
import { declareTagged, IfMatch, readIfMatch } from "#src/http/etag.ts";
import { body, Done, done, failing, fileBody, json, newRouter, route } from "#src/http/router.ts";
import { toEtag } from "#src/kernel/etag.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { ReleaseFiles } from "#src/ports/rule_manifest.ts";
import { activateVersion, overrideRule, withdrawRuleOverride } from "./change_rules.ts";
import { compareVersions } from "./compare_versions.ts";
import { installRelease, releaseAt } from "./install_release.ts";
import { listRules, showRules } from "./read_rules.ts";
import * as s from "./schemas.ts";

/** Published releases have some 10 MB. */
const RELEASE = fileBody(["application/octet-stream", "application/zip"], { limit: 32 * MB });

const READ = { "x-permission": "rules:read" as const, tags: ["Rules"] };
const WRITE = { "x-permission": "rules:write" as const, tags: ["Rules"] };

const list = route({
  ...READ,
  method: "get",
  operationId: "listRuleSets",
  path: "/api/rules",
  summary: "List rule sets",
  description:
    "For administrators of rules. Each rule set has its versions, effective dates and overrides.",
  request: { query: windowQuery() },
  responses: { 200: json(s.RuleSetList, "Rule sets by identifier") },
});
const show = route({
  ...READ,
  method: "get",
  operationId: "getRuleSet",
  path: "/api/rules/{id}",
  summary: "Read a rule set",
  description:
    "For administrators of rules. The answer lists the rules of one version, by default the version that validates today.",
  request: { params: s.SetPath, query: s.VersionQuery },
  responses: { 200: declareTagged(s.RuleSetDetail, "Rule set with its rules") },
});
const install = route({
  ...WRITE,
  method: "post",
  operationId: "installRuleSet",
  "x-audit": "rule_set.installed",
  path: "/api/rules/install",
  summary: "Install a rule set",
  description:
    "For administrators of rules. The body is the zip of a published release, or the path of a zip or folder in the data folder.",
  request: {
    query: s.InstallQuery,
    // Not "required", because that would demand JSON even for a zip.
    body: {
      ...RELEASE,
      content: { "application/json": { schema: s.InstallBody }, ...RELEASE.content },
    },
  },
  responses: { 200: json(s.Installed, "The version validates from its first day on") },
});
const activate = route({
  ...WRITE,
  method: "post",
  operationId: "activateRuleSet",
  "x-audit": "rule_set.activated",
  path: "/api/rules/{id}/activate",
  summary: "Activate a version of a rule set",
  description:
    "For administrators of rules. The version validates documents from the given day on.",
  request: { params: s.SetPath, headers: IfMatch, body: body(s.ActivateBody) },
  responses: { 200: declareTagged(s.Activated, "First day of the version"), ...failing(412) },
});
const override = route({
  ...WRITE,
  method: "post",
  operationId: "overrideRule",
  "x-audit": "rule_override.set",
  path: "/api/rules/{id}/overrides",
  summary: "Override a rule",
  description:
    "For administrators of rules. The override changes the severity of one rule until a date and requires a reason.",
  request: { params: s.SetPath, headers: IfMatch, body: body(s.OverrideBody) },
  responses: {
    200: declareTagged(s.Overridden, "The override applies and is shown in every report"),
    ...failing(412),
  },
});
const withdraw = route({
  ...WRITE,
  method: "delete",
  operationId: "removeRuleOverride",
  "x-audit": "rule_override.withdrawn",
  path: "/api/rules/{id}/overrides",
  summary: "Remove an override",
  description: "For administrators of rules. The rule has its published severity again.",
  request: { params: s.SetPath, headers: IfMatch, query: s.RuleQuery },
  responses: { 200: declareTagged(Done, "The change was made"), ...failing(412) },
});
const compare = route({
  ...READ,
  method: "post",
  operationId: "compareRuleSets",
  path: "/api/rules/compare",
  "x-audit": false,
  summary: "Compare two versions of a rule set",
  description:
    "For administrators of rules. The answer shows documents of a folder or of the archive whose result differs.",
  request: { body: body(s.CompareBody) },
  responses: {
    200: json(s.Comparison, "Rules with the documents that they concern"),
    ...failing(404),
  },
});

type RoutesDeps = Pick<Deps, "clock" | "db" | "live" | "rules" | "settings" | "storage" | "xsd">;

export function validationRoutes(deps: RoutesDeps) {
  const tag = (c: Context<HttpEnv>, id: string) =>
    c.header("ETag", toEtag(deps.rules.revision(id)));
  return newRouter("invoicing")
    .openapi(list, async (c) => {
      const { sets, broken } = await listRules(deps, c.var.language);
      const { rows, about } = toWindow(sets, c.req.valid("query"));
      return c.json({ sets: rows, broken, ...about }, 200);
    })
    .openapi(show, async (c) => {
      const { id } = c.req.valid("param");
      const { version } = c.req.valid("query");
      tag(c, id);
      return c.json(await showRules(deps, { id, version, language: c.var.language }), 200);
    })
    .openapi(install, async (c) => {
      const { active, ...given } = c.req.valid("query");
      const source = await releaseIn(deps, c);
      const installed = await installRelease(deps, source, {
        given,
        active: active !== "false",
        by: c.var.actor,
      });
      return c.json({ ...done, ...installed }, 200);
    })
    .openapi(activate, async (c) => {
      const input = {
        id: c.req.valid("param").id,
        ...c.req.valid("json"),
        ifMatch: readIfMatch(c),
      };
      const activated = await activateVersion(deps, input, c.var.actor);
      tag(c, input.id);
      return c.json({ ...done, ...activated }, 200);
    })
    .openapi(override, async (c) => {
      const { expires, ...rest } = c.req.valid("json");
      const of = { id: c.req.valid("param").id, ifMatch: readIfMatch(c) };
      const input = { ...of, expires: new Date(expires), ...rest };
      const id = await overrideRule(deps, input, c.var.actor);
      tag(c, of.id);
      return c.json({ ...done, id }, 200);
    })
    .openapi(withdraw, async (c) => {
      const { rule } = c.req.valid("query");
      const input = { id: c.req.valid("param").id, rule, ifMatch: readIfMatch(c) };
      await withdrawRuleOverride(deps, input, c.var.actor);
      tag(c, input.id);
      return c.json(done, 200);
    })
    .openapi(compare, async (c) => c.json(await compareVersions(deps, c.req.valid("json")), 200));
}

async function releaseIn(
  deps: RoutesDeps,
  c: Context<HttpEnv>,
): Promise<ReleaseFiles | Uint8Array> {
  const type = c.req.header("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (type === "application/json") {
    return await releaseAt(deps, s.InstallBody.parse(await c.req.json()).path);
  }
  if (c.var.body?.length) return c.var.body;
  throw new AppError("invalid", say`The body is empty: a zip, or JSON with a path, is expected`);
}
