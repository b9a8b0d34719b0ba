import { Buffer } from "node:buffer";
import type { Context } from "hono";
import { z } from "@hono/zod-openapi";
import type { Deps } from "#src/deps.ts";
import type { HttpEnv } from "#src/http/env.ts";
import { body, Done, done, failures, json, newRouter, route } from "#src/http/router.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { ReleaseFiles } from "#src/ports/rule_book.ts";
import { activateVersion, overrideRule, withdrawRuleOverride } from "./change_rules.ts";
import { compareVersions } from "./compare_versions.ts";
import { installRelease, releaseAt } from "./install_release.ts";
import { listRules, showRules } from "./read_rules.ts";
import * as s from "./schemas.ts";

const READ = { "x-permission": "rules:read" as const, tags: ["Rules"] };
const WRITE = { "x-permission": "rules:write" as const, tags: ["Rules"] };

const list = route({
  ...READ,
  method: "get",
  path: "/api/rules",
  summary: "Rule sets with their versions, effective dates and overrides",
  responses: { 200: json(s.RuleSetList, "All rule sets"), ...failures },
});
const show = route({
  ...READ,
  method: "get",
  path: "/api/rules/{id}",
  summary: "One rule set, rule by rule; the version that judges today unless one is named",
  request: { params: s.SetPath, query: s.VersionQuery },
  responses: { 200: json(s.RuleSetDetail, "The rule set"), ...failures },
});
const install = route({
  ...WRITE,
  method: "post",
  path: "/api/rules/install",
  summary: "Install a published release: a zip, or the path of a zip or folder in the data folder",
  request: {
    query: s.InstallQuery,
    // Not "required": that would ask for JSON even where a zip comes.
    body: {
      content: {
        "application/json": { schema: s.InstallBody },
        "application/octet-stream": { schema: z.string().openapi({ format: "binary" }) },
        "application/zip": { schema: z.string().openapi({ format: "binary" }) },
      },
    },
  },
  responses: { 200: json(s.Installed, "Judging as soon as its day has come"), ...failures },
});
const activate = route({
  ...WRITE,
  method: "post",
  path: "/api/rules/{id}/activate",
  summary: "Let a version judge from a day on",
  request: { params: s.SetPath, body: body(s.ActivateBody) },
  responses: { 200: json(s.Activated, "The day it judges from"), ...failures },
});
const override = route({
  ...WRITE,
  method: "post",
  path: "/api/rules/{id}/overrides",
  summary: "Judge one rule otherwise, for a reason and until a date",
  request: { params: s.SetPath, body: body(s.OverrideBody) },
  responses: { 200: json(s.Overridden, "In force, and shown in every report"), ...failures },
});
const withdraw = route({
  ...WRITE,
  method: "delete",
  path: "/api/rules/{id}/overrides",
  summary: "Judge a rule as published again",
  request: { params: s.SetPath, query: s.RuleQuery },
  responses: { 200: json(Done, "Done"), ...failures },
});
const compare = route({
  ...READ,
  method: "post",
  path: "/api/rules/compare",
  summary: "What another version would change for the documents of a folder or of the archive",
  request: { body: body(s.CompareBody) },
  responses: { 200: json(s.Comparison, "Per rule the documents it concerns"), ...failures },
});

type Needs = Pick<Deps, "clock" | "db" | "live" | "rules" | "settings" | "storage" | "xsd">;

export function validationRoutes(deps: Needs) {
  return newRouter("invoicing")
    .openapi(list, (c) => c.json(listRules(deps), 200))
    .openapi(show, (c) => {
      const { version } = c.req.valid("query");
      return c.json(showRules(deps, { id: c.req.valid("param").id, version }), 200);
    })
    .openapi(install, async (c) => {
      const { active, ...given } = c.req.valid("query");
      const source = await releaseIn(deps, c);
      const by = c.var.actor.username;
      const installed = await installRelease(deps, source, {
        given,
        active: active !== "false",
        by,
      });
      return c.json({ ...done, ...installed }, 200);
    })
    .openapi(activate, async (c) => {
      const input = { id: c.req.valid("param").id, ...c.req.valid("json") };
      return c.json({ ...done, ...await activateVersion(deps, input, c.var.actor.username) }, 200);
    })
    .openapi(override, async (c) => {
      const { expires, ...rest } = c.req.valid("json");
      const input = { id: c.req.valid("param").id, expires: new Date(expires), ...rest };
      return c.json({ ...done, id: await overrideRule(deps, input, c.var.actor.username) }, 200);
    })
    .openapi(withdraw, async (c) => {
      const input = { id: c.req.valid("param").id, rule: c.req.valid("query").rule };
      await withdrawRuleOverride(deps, input, c.var.actor.username);
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
  if (type !== "application/octet-stream" && type !== "application/zip") {
    throw new AppError(
      "unsupported",
      `A release is application/zip, application/octet-stream or JSON, not ${type || "unnamed"}`,
    );
  }
  return await readBounded(c.req.raw.body, deps.settings.maxUploadBytes);
}

async function readBounded(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > limit) throw new AppError("too_large", `A release may have ${limit} bytes at most`);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
