import { ROLE_TEMPLATES } from "#src/domain/permission/given_roles.ts";
import type { Context } from "hono";
import type { HttpEnv } from "#src/http/env.ts";
import { IfMatch, ifMatchOf, tagged } from "#src/http/etag.ts";
import { windowOf, windowQuery } from "#src/http/list.ts";
import { body, failing, json, newRouter, route } from "#src/http/router.ts";
import type { Language } from "#src/kernel/language.ts";
import { notFound } from "#src/kernel/errors.ts";
import { changeRole, createRole, deleteRole } from "./change_roles.ts";
import type { AccessNeeds } from "../needs.ts";
import { NewRoleBody, Ok, ok, Role, RoleBody, RoleList, RolePath } from "./schemas.ts";
import { showRole, showRoles } from "./views.ts";

const READ = { "x-permission": "users:read" as const, tags: ["Users and roles"] };
const WRITE = { "x-permission": "users:write" as const, tags: ["Users and roles"] };

const list = route({
  ...READ,
  method: "get",
  operationId: "listRoles",
  path: "/admin/roles",
  summary: "List roles, and the templates new ones can start from",
  request: { query: windowQuery() },
  responses: { 200: json(RoleList, "The roles by name, how many there are, and all templates") },
});
const create = route({
  ...WRITE,
  method: "post",
  operationId: "createRole",
  "x-audit": "role.created",
  path: "/admin/roles",
  summary: "Create a role; nobody grants what they do not hold",
  request: { body: body(NewRoleBody) },
  responses: { 201: tagged(Role, "The role") },
});
const get = route({
  ...READ,
  method: "get",
  operationId: "getRole",
  path: "/admin/roles/{name}",
  summary: "One role",
  request: { params: RolePath },
  responses: { 200: tagged(Role, "The role") },
});
const save = route({
  ...WRITE,
  method: "put",
  operationId: "changeRole",
  "x-audit": "role.changed",
  path: "/admin/roles/{name}",
  summary: "Change a role; members feel it on their next call",
  request: { params: RolePath, headers: IfMatch, body: body(RoleBody) },
  responses: { 200: tagged(Role, "The role"), ...failing(409, 412, 422) },
});
const remove = route({
  ...WRITE,
  method: "delete",
  operationId: "deleteRole",
  "x-audit": "role.deleted",
  path: "/admin/roles/{name}",
  summary: "Delete a role; refused while it has members or heirs",
  request: { params: RolePath, headers: IfMatch },
  responses: { 200: json(Ok, "Done"), ...failing(409, 412, 422) },
});

function templatesIn(language: Language) {
  return ROLE_TEMPLATES.map(({ name, displayName, description, permissions }) => ({
    name,
    display_name: displayName[language],
    description: description[language],
    permissions: [...permissions],
  }));
}

export function roleRoutes(deps: AccessNeeds) {
  const detail = async (c: Context<HttpEnv>, name: string) => {
    const found = await showRole(deps, name, c.var.language);
    if (!found) throw notFound("Role", name);
    c.header("ETag", found.etag);
    return found.role;
  };
  return newRouter("framework")
    .openapi(list, async (c) => {
      const { language } = c.var;
      const { rows, about } = windowOf(await showRoles(deps, language), c.req.valid("query"));
      return c.json({ roles: rows, templates: templatesIn(language), ...about }, 200);
    })
    .openapi(create, async (c) => {
      const { name, ...fields } = c.req.valid("json");
      await createRole(deps, { name, change: changeOf(fields), by: c.var.actor });
      return c.json(await detail(c, name), 201);
    })
    .openapi(get, async (c) => c.json(await detail(c, c.req.valid("param").name), 200))
    .openapi(save, async (c) => {
      const { name } = c.req.valid("param");
      const change = changeOf(c.req.valid("json"));
      await changeRole(deps, { name, change, by: c.var.actor, ifMatch: ifMatchOf(c) });
      c.var.access.forget();
      return c.json(await detail(c, name), 200);
    })
    .openapi(remove, async (c) => {
      const { name } = c.req.valid("param");
      await deleteRole(deps, name, { by: c.var.actor, ifMatch: ifMatchOf(c) });
      return c.json(ok, 200);
    });
}

interface Fields {
  readonly display_name?: string | undefined;
  readonly description?: string | undefined;
  readonly inherits_from?: readonly string[] | undefined;
  readonly permissions?: readonly string[] | undefined;
}

function changeOf({ display_name: displayName, inherits_from: inheritsFrom, ...rest }: Fields) {
  return { ...rest, displayName, inheritsFrom };
}
