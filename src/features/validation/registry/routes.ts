import type { Context } from "hono";
import type { Deps } from "#src/deps.ts";
import type { HttpEnv } from "#src/http/env.ts";
import { windowOf, windowQuery } from "#src/http/list.ts";
import { MB } from "#src/http/intake.ts";
import { IfMatch, ifMatchOf, tagged } from "#src/http/etag.ts";
import { body, Done, done, failing, fileBody, json, newRouter, route } from "#src/http/router.ts";
import { tagOf } from "#src/kernel/etag.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { ReleaseFiles } from "#src/ports/rule_book.ts";
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
  summary: "Rule sets with their versions, effective dates and overrides",
  request: { query: windowQuery() },
  responses: { 200: json(s.RuleSetList, "The rule sets by id, and how many there are") },
});
const show = route({
  ...READ,
  method: "get",
  operationId: "getRuleSet",
  path: "/api/rules/{id}",
  summary: "One rule set, rule by rule; the version that judges today unless one is named",
  request: { params: s.SetPath, query: s.VersionQuery },
  responses: { 200: tagged(s.RuleSetDetail, "The rule set") },
});
const install = route({
  ...WRITE,
  method: "post",
  operationId: "installRuleSet",
  "x-audit": "rule_set.installed",
  path: "/api/rules/install",
  summary: "Install a published release: a zip, or the path of a zip or folder in the data folder",
  request: {
    query: s.InstallQuery,
    // Not "required": that would ask for JSON even where a zip comes.
    body: {
      ...RELEASE,
      content: { "application/json": { schema: s.InstallBody }, ...RELEASE.content },
    },
  },
  responses: { 200: json(s.Installed, "Judging as soon as its day has come") },
});
const activate = route({
  ...WRITE,
  method: "post",
  operationId: "activateRuleSet",
  "x-audit": "rule_set.activated",
  path: "/api/rules/{id}/activate",
  summary: "Let a version judge from a day on",
  request: { params: s.SetPath, headers: IfMatch, body: body(s.ActivateBody) },
  responses: { 200: tagged(s.Activated, "The day it judges from"), ...failing(412) },
});
const override = route({
  ...WRITE,
  method: "post",
  operationId: "overrideRule",
  "x-audit": "rule_override.set",
  path: "/api/rules/{id}/overrides",
  summary: "Judge one rule otherwise, for a reason and until a date",
  request: { params: s.SetPath, headers: IfMatch, body: body(s.OverrideBody) },
  responses: { 200: tagged(s.Overridden, "In force, and shown in every report"), ...failing(412) },
});
const withdraw = route({
  ...WRITE,
  method: "delete",
  operationId: "removeRuleOverride",
  "x-audit": "rule_override.withdrawn",
  path: "/api/rules/{id}/overrides",
  summary: "Judge a rule as published again",
  request: { params: s.SetPath, headers: IfMatch, query: s.RuleQuery },
  responses: { 200: tagged(Done, "Done"), ...failing(412) },
});
const compare = route({
  ...READ,
  method: "post",
  operationId: "compareRuleSets",
  path: "/api/rules/compare",
  "x-audit": false,
  summary: "What another version would change for the documents of a folder or of the archive",
  request: { body: body(s.CompareBody) },
  responses: { 200: json(s.Comparison, "Per rule the documents it concerns"), ...failing(404) },
});

type Needs = Pick<Deps, "clock" | "db" | "live" | "rules" | "settings" | "storage" | "xsd">;

export function validationRoutes(deps: Needs) {
  const tag = (c: Context<HttpEnv>, id: string) => c.header("ETag", tagOf(deps.rules.revision(id)));
  return newRouter("invoicing")
    .openapi(list, async (c) => {
      const { sets, broken } = await listRules(deps, c.var.language);
      const { rows, about } = windowOf(sets, c.req.valid("query"));
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
      const input = { id: c.req.valid("param").id, ...c.req.valid("json"), ifMatch: ifMatchOf(c) };
      const activated = await activateVersion(deps, input, c.var.actor);
      tag(c, input.id);
      return c.json({ ...done, ...activated }, 200);
    })
    .openapi(override, async (c) => {
      const { expires, ...rest } = c.req.valid("json");
      const of = { id: c.req.valid("param").id, ifMatch: ifMatchOf(c) };
      const input = { ...of, expires: new Date(expires), ...rest };
      const id = await overrideRule(deps, input, c.var.actor);
      tag(c, of.id);
      return c.json({ ...done, id }, 200);
    })
    .openapi(withdraw, async (c) => {
      const { rule } = c.req.valid("query");
      const input = { id: c.req.valid("param").id, rule, ifMatch: ifMatchOf(c) };
      await withdrawRuleOverride(deps, input, c.var.actor);
      tag(c, input.id);
      return c.json(done, 200);
    })
    .openapi(compare, async (c) => c.json(await compareVersions(deps, c.req.valid("json")), 200));
}

async function releaseIn(
  deps: Needs,
  c: Context<HttpEnv>,
): Promise<ReleaseFiles | Uint8Array> {
  const type = c.req.header("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (type === "application/json") {
    return await releaseAt(deps, s.InstallBody.parse(await c.req.json()).path);
  }
  if (c.var.body?.length) return c.var.body;
  throw new AppError("invalid", say`The body is empty: a zip, or JSON with a path, is expected`);
}
