import type { Context } from "hono";
import { z } from "@hono/zod-openapi";
import { isSectionName, type SectionName, SECTIONS } from "#src/definitions/sections.ts";
import type { HttpEnv } from "#src/http/env.ts";
import { translateFor } from "#src/http/errors.ts";
import { readIfMatch } from "#src/http/etag.ts";
import { body, failing, json, newRouter, route } from "#src/http/router.ts";
import { notFound } from "#src/kernel/errors.ts";
import { utf8Text } from "#src/kernel/text.ts";
import type { ConfigurationProblem } from "#src/ports/configuration.ts";
import { applyBundle, exportSections, parseSections } from "./apply.ts";
import {
  type ChangeDeps,
  type ChangeOutcome as OutcomeOf,
  reloadSections,
} from "./change_sections.ts";
import type { QueryFindings } from "./check_queries.ts";
import { buildJsonSchema } from "./json_schema.ts";
import { wireProblems } from "./problems.ts";
import { renameEverywhere } from "./rename.ts";
import {
  Applied,
  ApplyBody,
  Reloaded,
  ReloadQuery,
  RenameBody,
  RenameOutcome,
  RenameQuery,
  SectionList,
  Sections,
  WriteQuery,
} from "./schemas.ts";
import { byPack, bySection, LIMIT, refusals } from "./section_routes.ts";
import {
  restoreRevision,
  saveParsed,
  saveText,
  type ShownSection,
  showParsed,
  showRevision,
  showRevisions,
  showSections,
  showText,
} from "./sections.ts";

const TAGS = { tags: ["Settings"] };

const rename = route({
  ...TAGS,
  method: "post",
  operationId: "renameSetting",
  "x-audit": "configuration.changed",
  path: "/admin/config/rename",
  "x-permission": "settings:write",
  summary: "Rename an object of the settings",
  description:
    "For administrators of the settings. The name changes in all sections, language packs and permission codes of roles, and applies at once.",
  request: { query: RenameQuery, body: body(RenameBody) },
  responses: {
    200: json(RenameOutcome, "Changed positions; with `dry_run` those that would change"),
    ...failing(404),
    ...refusals,
  },
});
const reload = route({
  ...TAGS,
  method: "post",
  operationId: "reloadSettings",
  "x-audit": "configuration.reloaded",
  path: "/admin/reload",
  "x-permission": "settings:reload",
  summary: "Apply the stored settings",
  description: "For administrators of the settings. The stored texts take effect in all processes.",
  request: { query: ReloadQuery },
  responses: {
    200: json(Reloaded, "Sections whose applied texts changed"),
    ...failing(404),
    ...refusals,
  },
});
const listed = route({
  ...TAGS,
  method: "get",
  operationId: "listSettings",
  path: "/admin/config",
  "x-permission": "authenticated",
  summary: "List sections and language packs",
  description:
    "For administrators of the settings. The list contains those that the caller may read (`settings:<section>`, `settings:raw`), with their last change.",
  responses: { 200: json(SectionList, "Sections in their order, then language packs by name") },
});
const exported = route({
  ...TAGS,
  method: "get",
  operationId: "exportSettings",
  path: "/admin/config/export",
  "x-permission": "settings:raw",
  summary: "Export the settings",
  description:
    "For administrators of the settings, who store the texts as files. Secrets are encrypted.",
  responses: { 200: json(Sections, "Texts by section name, with encrypted secrets") },
});
const applied = route({
  ...TAGS,
  method: "post",
  operationId: "applySettings",
  "x-audit": "configuration.changed",
  path: "/admin/config/apply",
  "x-permission": "settings:raw",
  summary: "Replace several sections",
  description: "For administrators of the settings. All sections change in one transaction.",
  request: { query: WriteQuery, body: body(ApplyBody, { limit: LIMIT }) },
  responses: {
    200: json(Applied, "Changes; with `dry_run` those that would be made"),
    ...refusals,
  },
});

/** The settings administration. */
export function configurationRoutes(deps: ChangeDeps) {
  const does = handlers(deps);
  const router = newRouter("framework");
  for (const it of [settingsRoutes(deps, does), packRoutes(does), sectionRoutes(does)]) {
    router.route("/", it);
  }
  return router;
}

function settingsRoutes(deps: ChangeDeps, does: Handlers) {
  return newRouter("framework")
    .openapi(listed, async (c) => {
      const may = (code: string) => c.var.access.allows(c.var.actor, code);
      const shown = (await showSections(deps)).map(wireListed);
      const sections = shown.filter(({ name, kind }) =>
        may("settings:raw") || may(`settings:${kind === "pack" ? "dictionary" : name}`)
      );
      return c.json({ sections }, 200);
    })
    .openapi(exported, async (c) => {
      const sections = Object.fromEntries(await exportSections(deps));
      return c.json({ sections }, 200);
    })
    .openapi(applied, async (c) => {
      const { sections, prune } = c.req.valid("json");
      const { changed, ...outcome } = await applyBundle(
        deps,
        { sections: parseSections(Object.entries(sections)), prune },
        { ...does.how(c, c.req.valid("query")), note: "applied" },
      );
      return c.json({ ...wire(c, outcome), changed: [...changed] }, 200);
    })
    .openapi(rename, async (c) => {
      const { scope: kind, from, to } = c.req.valid("json");
      const dryRun = c.req.valid("query").dry_run === "true";
      const how = { by: c.var.actor, dryRun };
      const { places, roles, ...outcome } = await renameEverywhere(deps, { kind, from, to }, how);
      c.var.access.forget();
      return c.json({ ...wire(c, outcome), places: [...places], roles }, 200);
    })
    .openapi(reload, async (c) => {
      const { scope, force } = c.req.valid("query");
      const named = scope === "all" ? scope : sectionNamed(scope);
      const by = c.var.actor;
      const changed = await reloadSections(deps, { scope: named, by, force: force === "true" });
      const { revision } = deps.configuration.current();
      return c.json({ ok: true as const, reloaded: [...changed], revision }, 200);
    });
}

function packRoutes(does: Handlers) {
  const ofPack = (c: Context<HttpEnv>) => pack(c.req.param("pack") ?? "");
  return newRouter("framework")
    .openapi(byPack.parsed, (c) => does.parsed(c, ofPack(c)))
    .openapi(
      byPack.saveParsed,
      (c) => does.saveParsed(c, ofPack(c), { ...c.req.valid("query"), value: c.req.valid("json") }),
    )
    .openapi(byPack.raw, (c) => does.raw(c, ofPack(c)))
    .openapi(byPack.saveRaw, (c) => does.saveRaw(c, ofPack(c), c.req.valid("query")))
    .openapi(byPack.schema, (c) => c.json(buildJsonSchema(ofPack(c)), 200))
    .openapi(byPack.revisions, (c) => does.revisions(c, ofPack(c), c.req.valid("query")))
    .openapi(byPack.revision, (c) => does.revision(c, ofPack(c), c.req.valid("param").revision))
    .openapi(
      byPack.restoreRevision,
      (c) =>
        does.restoreRevision(c, ofPack(c), { ...c.req.valid("query"), ...c.req.valid("param") }),
    );
}

function sectionRoutes(does: Handlers) {
  const ofSection = (c: Context<HttpEnv>) => section(c.req.param("section") ?? "");
  return newRouter("framework")
    .openapi(bySection.parsed, (c) => does.parsed(c, ofSection(c)))
    .openapi(
      bySection.saveParsed,
      (c) =>
        does.saveParsed(c, ofSection(c), { ...c.req.valid("query"), value: c.req.valid("json") }),
    )
    .openapi(bySection.raw, (c) => does.raw(c, ofSection(c)))
    .openapi(bySection.saveRaw, (c) => does.saveRaw(c, ofSection(c), c.req.valid("query")))
    .openapi(bySection.schema, (c) => c.json(buildJsonSchema(ofSection(c)), 200))
    .openapi(bySection.revisions, (c) => does.revisions(c, ofSection(c), c.req.valid("query")))
    .openapi(
      bySection.revision,
      (c) => does.revision(c, ofSection(c), c.req.valid("param").revision),
    )
    .openapi(
      bySection.restoreRevision,
      (c) =>
        does.restoreRevision(c, ofSection(c), { ...c.req.valid("query"), ...c.req.valid("param") }),
    );
}

interface How {
  readonly dry_run?: string | undefined;
  readonly force?: string | undefined;
}

type Handlers = ReturnType<typeof handlers>;

function handlers(deps: ChangeDeps) {
  const how = (c: Context<HttpEnv>, { dry_run: dryRun, force }: How) => ({
    by: c.var.actor,
    rights: c.var.actor.permissions,
    mayReload: c.var.access.allows(c.var.actor, "settings:reload"),
    dryRun: dryRun === "true",
    force: force === "true",
    ifMatch: readIfMatch(c),
  });
  const tell = (c: Context<HttpEnv>, name: SectionName, outcome: OutcomeOf) => {
    const tag = outcome.tags.get(name);
    if (tag !== undefined && outcome.revision !== undefined) c.header("ETag", tag);
    return c.json(wire(c, outcome), 200);
  };
  return {
    how,
    async parsed(c: Context<HttpEnv>, name: SectionName) {
      const { value, etag } = await showParsed(deps, name);
      c.header("ETag", etag);
      return c.json(value as Record<string, unknown>, 200);
    },
    saveParsed: async (c: Context<HttpEnv>, name: SectionName, given: How & { value: unknown }) =>
      tell(c, name, await saveParsed(deps, { name, value: given.value }, how(c, given))),
    async raw(c: Context<HttpEnv>, name: SectionName) {
      const { text, etag } = await showText(deps, name);
      return c.body(text, 200, { ETag: etag, "Content-Type": "text/yaml; charset=utf-8" });
    },
    async saveRaw(c: Context<HttpEnv>, name: SectionName, given: How) {
      const text = await sentText(c, name);
      return tell(c, name, await saveText(deps, { name, text }, how(c, given)));
    },
    async revisions(
      c: Context<HttpEnv>,
      name: SectionName,
      page: { before?: number | undefined; limit: number },
    ) {
      const { rows, hasMore, total } = await showRevisions(deps, { name, ...page });
      return c.json({ revisions: rows.map(wireRevision), has_more: hasMore, total }, 200);
    },
    async revision(c: Context<HttpEnv>, name: SectionName, revision: number) {
      const { diff, ...row } = await showRevision(deps, { name, revision });
      return c.json({ ...wireRevision(row), diff }, 200);
    },
    restoreRevision: async (
      c: Context<HttpEnv>,
      name: SectionName,
      given: How & { revision: number },
    ) =>
      tell(c, name, await restoreRevision(deps, { name, revision: given.revision }, how(c, given))),
  };
}

/** Reads the text from a `text/yaml` body, or from `text` in a JSON body. */
async function sentText(c: Context<HttpEnv>, name: SectionName): Promise<string> {
  if (!c.req.header("content-type")?.includes("json")) {
    return utf8Text(name, c.var.body ?? new Uint8Array());
  }
  return z.object({ text: z.string() }).parse(await c.req.json()).text;
}

function wire(c: Context<HttpEnv>, { revision, diff, impact, warning, queries }: OutcomeOf) {
  const wireAll = (problems: readonly ConfigurationProblem[]) =>
    wireProblems(problems).map((it) => ({ ...it, message: translateFor(it.message, c) }));
  const wireFindings = ({ refused, unchecked }: QueryFindings["unchanged"]) => ({
    refused: wireAll(refused),
    unchecked: unchecked.map((it) => translateFor(it, c)),
  });
  return {
    ok: true as const,
    revision: revision ?? null,
    ...revision === undefined && { diff },
    ...warning && { warning: translateFor(warning, c) },
    impact: {
      broken: wireAll(impact.broken),
      codes_gone: [...impact.codesGone],
      codes_new: [...impact.codesNew],
      losses: impact.losses.map(({ code, roles, users }) => ({
        code,
        roles: [...roles],
        users: [...users],
      })),
    },
    ...queries && {
      queries: { ...wireFindings(queries), unchanged: wireFindings(queries.unchanged) },
    },
  };
}

function wireListed({ name, revision, at, author, isInForce }: ShownSection) {
  const kind = name.startsWith("i18n/") ? "pack" as const : "section" as const;
  return {
    name,
    kind,
    revision,
    at: at?.toISOString() ?? null,
    by: author,
    in_force: isInForce,
  };
}

function wireRevision(
  { revision, at, author, note }: { revision: number; at: Date; author: string; note: string },
) {
  return { revision, at: at.toISOString(), by: author, note };
}

function section(name: string): SectionName {
  const found = SECTIONS.find((it) => it === name);
  if (!found) throw notFound("Section", name);
  return found;
}

/** `fr`, or `sales.fr` for the texts of an app. */
function pack(text: string): SectionName {
  const dot = text.lastIndexOf(".");
  const name = dot < 0 ? `i18n/${text}` : `i18n/${text.slice(0, dot)}/${text.slice(dot + 1)}`;
  if (!isSectionName(name)) throw notFound("Language pack", text);
  return name;
}

function sectionNamed(text: string): SectionName {
  if (!isSectionName(text)) throw notFound("Section", text);
  return text;
}
