import type { TemplateType } from "#src/domain/template/template.ts";
import { toWindow } from "#src/http/list.ts";
import type { Context } from "hono";
import type { Deps } from "#src/deps.ts";
import type { Template as TemplateOf } from "#src/domain/template/template.ts";
import type { HttpEnv } from "#src/http/env.ts";
import { declareTagged, IfMatch, readIfMatch } from "#src/http/etag.ts";
import { MB } from "#src/http/intake.ts";
import { body, Done, done, failing, json, newRouter, route } from "#src/http/router.ts";
import { type CompileSheets, createCompileSheets } from "./compile_sheets.ts";
import { copyTemplate, createTemplate, deleteTemplate, saveTemplate } from "./change_templates.ts";
import { showCatalogues } from "./show_catalogues.ts";
import { showTagged, showTemplates } from "./read_templates.ts";
import { unownedTemplates } from "./unowned.ts";
import {
  CopyBody,
  CopyPath,
  DryRunQuery,
  NamePath,
  NameQuery,
  PropertyCatalogues,
  Template,
  TemplateList,
  TypeQuery,
} from "./schemas.ts";

const READ = { "x-permission": "templates:read" as const, tags: ["Templates"] };
const WRITE = { "x-permission": "templates:write" as const, tags: ["Templates"] };
const listed = {
  200: json(TemplateList, "Templates with masked secrets"),
};
const one = { 200: declareTagged(Template, "Template with masked secrets") };
const changed = {
  200: declareTagged(Done, "The change was made"),
};
const removed = {
  200: json(Done, "The change was made"),
  ...failing(412, 422),
};
const template = { body: body(Template, { limit: 2 * MB }) };
const created = { ...template, query: DryRunQuery };

const list = {
  ...READ,
  method: "get" as const,
  summary: "List templates",
  description:
    "For administrators of templates. The answer contains one window of the list, by name.",
  request: { query: TypeQuery },
  responses: listed,
};
const get = {
  ...READ,
  method: "get" as const,
  summary: "Read a template",
  description: "For administrators of templates. Secrets are masked.",
  responses: one,
};
const create = {
  ...WRITE,
  method: "post" as const,
  "x-audit": "template.created" as const,
  summary: "Create a template",
  description:
    "For administrators of templates. The template later acts with the permissions of its author.",
  request: created,
  responses: changed,
};
const save = {
  ...WRITE,
  method: "put" as const,
  "x-audit": "template.changed" as const,
  summary: "Replace a template",
  description:
    "For administrators of templates. The call replaces all properties; another name in the body renames the template. A system template also requires `setup:write`.",
  responses: { ...changed, ...failing(409, 412, 422) },
};
const remove = {
  ...WRITE,
  method: "delete" as const,
  "x-audit": "template.deleted" as const,
  summary: "Delete a template",
  description: "For administrators of templates. System templates cannot be deleted.",
  responses: removed,
};
const copy = {
  ...WRITE,
  method: "post" as const,
  "x-audit": "template.created" as const,
  summary: "Copy a template",
  description:
    "For administrators of templates. The copy of a system template is a document template.",
  responses: changed,
};

const byQuery = {
  list: route({ ...list, operationId: "listConfigTemplates", path: "/api/config/templates" }),
  get: route({
    ...get,
    operationId: "getConfigTemplate",
    path: "/api/config/template",
    request: { query: NameQuery },
    responses: { ...one, ...failing(404) },
  }),
  create: route({ ...create, operationId: "createConfigTemplate", path: "/api/config/template" }),
  save: route({
    ...save,
    operationId: "replaceConfigTemplate",
    path: "/api/config/template",
    request: { query: NameQuery.extend(DryRunQuery.shape), headers: IfMatch, ...template },
    responses: { ...save.responses, ...failing(404) },
  }),
  remove: route({
    ...remove,
    operationId: "deleteConfigTemplate",
    path: "/api/config/template",
    request: { query: NameQuery, headers: IfMatch },
    responses: { ...removed, ...failing(404) },
  }),
  copy: route({
    ...copy,
    operationId: "copyConfigTemplate",
    path: "/api/config/template/copy",
    request: { body: body(CopyBody) },
    responses: { ...changed, ...failing(404) },
  }),
};
const byPath = {
  list: route({ ...list, operationId: "listTemplates", path: "/api/templates" }),
  get: route({
    ...get,
    operationId: "getTemplate",
    path: "/api/templates/{name}",
    request: { params: NamePath },
  }),
  create: route({ ...create, operationId: "createTemplate", path: "/api/templates" }),
  save: route({
    ...save,
    operationId: "replaceTemplate",
    path: "/api/templates/{name}",
    request: { params: NamePath, query: DryRunQuery, headers: IfMatch, ...template },
  }),
  remove: route({
    ...remove,
    operationId: "deleteTemplate",
    path: "/api/templates/{name}",
    request: { params: NamePath, headers: IfMatch },
  }),
  copy: route({
    ...copy,
    operationId: "copyTemplate",
    path: "/api/templates/{from}/copy/{to}",
    request: { params: CopyPath },
  }),
};

const properties = route({
  ...READ,
  method: "get",
  operationId: "listTemplateProperties",
  path: "/api/config/template-properties",
  summary: "List the properties of templates",
  description:
    "For forms that edit templates. Each property has its type, default, label and help in both languages; a secret also names its destination.",
  responses: {
    200: json(PropertyCatalogues, "One catalogue per template type and system template"),
  },
});

type RoutesDeps = Pick<
  Deps,
  | "accounts"
  | "clock"
  | "connectors"
  | "db"
  | "live"
  | "log"
  | "paProtocols"
  | "pools"
  | "rules"
  | "storage"
  | "stylesheets"
  | "vault"
  | "xslt"
>;

/** Routes of both path families. They answer the same; only the list without a type differs. */
export function templateRoutes(deps: RoutesDeps) {
  const does = handlers({ ...deps, compileSheets: createCompileSheets(deps) });
  return newRouter("invoicing")
    .openapi(byQuery.list, async (c) => {
      const { type = ["system", "document"], ...asked } = c.req.valid("query");
      return c.json(await does.list(type, asked), 200);
    })
    .openapi(properties, (c) => c.json(showCatalogues(), 200))
    .openapi(byQuery.get, (c) => does.show(c, c.req.valid("query").name))
    .openapi(
      byQuery.create,
      (c) => does.create(c, { template: c.req.valid("json"), ...c.req.valid("query") }),
    )
    .openapi(
      byQuery.save,
      (c) => does.save(c, { template: c.req.valid("json"), ...c.req.valid("query") }),
    )
    .openapi(byQuery.remove, (c) => does.remove(c, c.req.valid("query").name))
    .openapi(byQuery.copy, (c) => does.copy(c, c.req.valid("json")))
    .openapi(byPath.list, async (c) => {
      const { type, ...asked } = c.req.valid("query");
      return c.json(await does.list(type, asked), 200);
    })
    .openapi(byPath.get, (c) => does.show(c, c.req.valid("param").name))
    .openapi(
      byPath.create,
      (c) => does.create(c, { template: c.req.valid("json"), ...c.req.valid("query") }),
    )
    .openapi(byPath.save, (c) =>
      does.save(c, {
        template: c.req.valid("json"),
        ...c.req.valid("query"),
        ...c.req.valid("param"),
      }))
    .openapi(byPath.remove, (c) => does.remove(c, c.req.valid("param").name))
    .openapi(byPath.copy, (c) => {
      const { from: source, to: target } = c.req.valid("param");
      return does.copy(c, { source, target });
    });
}

interface Given {
  readonly template: TemplateOf;
  readonly dry_run?: "true" | "false" | undefined;
}

function handlers(deps: RoutesDeps & { readonly compileSheets: CompileSheets }) {
  const tell = (c: Context<HttpEnv>, etag: string | undefined) => {
    if (etag !== undefined) c.header("ETag", etag);
    return c.json(done, 200);
  };
  return {
    async list(
      type: readonly TemplateType[] | undefined,
      asked: { limit: number; offset: number },
    ) {
      const { rows, about } = toWindow(await showTemplates(deps, type), asked);
      const names = new Set(rows.map(({ name }) => name));
      const unowned = (await unownedTemplates(deps)).filter((it) => names.has(it));
      return { templates: rows, unowned, ...about };
    },
    async show(c: Context<HttpEnv>, name: string) {
      const { template, etag } = await showTagged(deps, name);
      c.header("ETag", etag);
      return c.json(template, 200);
    },
    create: async (c: Context<HttpEnv>, { template, dry_run: dry }: Given) =>
      tell(c, await createTemplate(deps, template, { by: c.var.actor, dryRun: dry === "true" })),
    async save(c: Context<HttpEnv>, { name, template, dry_run: dry }: Given & { name: string }) {
      const how = { by: c.var.actor, ifMatch: readIfMatch(c), dryRun: dry === "true" };
      return tell(c, await saveTemplate(deps, name, { template, ...how }));
    },
    async remove(c: Context<HttpEnv>, name: string) {
      await deleteTemplate(deps, name, { by: c.var.actor, ifMatch: readIfMatch(c) });
      return c.json(done, 200);
    },
    copy: async (c: Context<HttpEnv>, names: { source: string; target: string }) =>
      tell(c, await copyTemplate(deps, names, c.var.actor)),
  };
}
