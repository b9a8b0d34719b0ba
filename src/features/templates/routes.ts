import type { Deps } from "#src/deps.ts";
import type { Template as TemplateOf } from "#src/domain/template/template.ts";
import { body, Done, done, failures, json, newRouter, route } from "#src/http/router.ts";
import type { Actor } from "#src/ports/access.ts";
import { copyTemplate, createTemplate, deleteTemplate, saveTemplate } from "./change_templates.ts";
import { showTemplate, showTemplates } from "./read_templates.ts";
import { CopyBody, CopyPath, NamePath, NameQuery, Template, TemplateList } from "./schemas.ts";

const READ = { "x-permission": "templates:read" as const, tags: ["Templates"] };
const WRITE = { "x-permission": "templates:write" as const, tags: ["Templates"] };
const listed = {
  200: json(TemplateList, "All templates; secret properties are masked"),
  ...failures,
};
const one = { 200: json(Template, "The template; secret properties are masked"), ...failures };
const changed = { 200: json(Done, "Done"), ...failures };

const list = route({
  ...READ,
  method: "get",
  path: "/api/config/templates",
  summary: "List templates",
  responses: listed,
});
const get = route({
  ...READ,
  method: "get",
  path: "/api/config/template",
  summary: "One template",
  request: { query: NameQuery },
  responses: one,
});
const create = route({
  ...WRITE,
  method: "post",
  path: "/api/config/template",
  summary: "Create a template",
  request: { body: body(Template) },
  responses: changed,
});
const save = route({
  ...WRITE,
  method: "put",
  path: "/api/config/template",
  summary: "Replace a template, all properties; another name in the body renames it",
  request: { query: NameQuery, body: body(Template) },
  responses: changed,
});
const remove = route({
  ...WRITE,
  method: "delete",
  path: "/api/config/template",
  summary: "Delete a template; system templates cannot be deleted",
  request: { query: NameQuery },
  responses: changed,
});
const copy = route({
  ...WRITE,
  method: "post",
  path: "/api/config/template/copy",
  summary: "Copy a template under a new name",
  request: { body: body(CopyBody) },
  responses: changed,
});

const list2 = route({
  ...READ,
  method: "get",
  path: "/api/templates",
  summary: "List templates",
  responses: listed,
});
const get2 = route({
  ...READ,
  method: "get",
  path: "/api/templates/{name}",
  summary: "One template",
  request: { params: NamePath },
  responses: one,
});
const create2 = route({
  ...WRITE,
  method: "post",
  path: "/api/templates",
  summary: "Create a template",
  request: { body: body(Template) },
  responses: changed,
});
const copy2 = route({
  ...WRITE,
  method: "post",
  path: "/api/templates/{from}/copy/{to}",
  summary: "Copy a template under a new name",
  request: { params: CopyPath },
  responses: changed,
});
const save2 = route({
  ...WRITE,
  method: "put",
  path: "/api/templates/{name}",
  summary: "Replace a template, all properties; another name in the body renames it",
  request: { params: NamePath, body: body(Template) },
  responses: changed,
});
const remove2 = route({
  ...WRITE,
  method: "delete",
  path: "/api/templates/{name}",
  summary: "Delete a template; system templates cannot be deleted",
  request: { params: NamePath },
  responses: changed,
});

/** Refuses a template its author may not save, or that cannot be what its type says. */
export type TemplateCheck = (template: TemplateOf, author: Actor) => Promise<void>;

/** Both families of paths say the same things. */
export function templateRoutes(
  deps: Pick<
    Deps,
    "clock" | "cron" | "db" | "live" | "rules" | "storage" | "stylesheets" | "vault"
  >,
  check: TemplateCheck = () => Promise.resolve(),
) {
  const checkCopy = async (source: string, target: string, author: Actor) =>
    await check({ ...await showTemplate(deps, source), name: target }, author);
  return newRouter("invoicing")
    .openapi(list, async (c) => c.json({ templates: await showTemplates(deps) }, 200))
    .openapi(get, async (c) => c.json(await showTemplate(deps, c.req.valid("query").name), 200))
    .openapi(create, async (c) => {
      await check(c.req.valid("json"), c.var.actor);
      await createTemplate(deps, c.req.valid("json"), c.var.actor);
      return c.json(done, 200);
    })
    .openapi(save, async (c) => {
      await check(c.req.valid("json"), c.var.actor);
      await saveTemplate(deps, c.req.valid("query").name, {
        template: c.req.valid("json"),
        by: c.var.actor,
      });
      return c.json(done, 200);
    })
    .openapi(remove, async (c) => {
      await deleteTemplate(deps, c.req.valid("query").name, c.var.actor);
      return c.json(done, 200);
    })
    .openapi(copy, async (c) => {
      const { source, target } = c.req.valid("json");
      await checkCopy(source, target, c.var.actor);
      await copyTemplate(deps, { source, target }, c.var.actor);
      return c.json(done, 200);
    })
    .openapi(list2, async (c) => c.json({ templates: await showTemplates(deps) }, 200))
    .openapi(get2, async (c) => c.json(await showTemplate(deps, c.req.valid("param").name), 200))
    .openapi(create2, async (c) => {
      await check(c.req.valid("json"), c.var.actor);
      await createTemplate(deps, c.req.valid("json"), c.var.actor);
      return c.json(done, 200);
    })
    .openapi(copy2, async (c) => {
      const { from: source, to: target } = c.req.valid("param");
      await checkCopy(source, target, c.var.actor);
      await copyTemplate(deps, { source, target }, c.var.actor);
      return c.json(done, 200);
    })
    .openapi(save2, async (c) => {
      await check(c.req.valid("json"), c.var.actor);
      await saveTemplate(deps, c.req.valid("param").name, {
        template: c.req.valid("json"),
        by: c.var.actor,
      });
      return c.json(done, 200);
    })
    .openapi(remove2, async (c) => {
      await deleteTemplate(deps, c.req.valid("param").name, c.var.actor);
      return c.json(done, 200);
    });
}
