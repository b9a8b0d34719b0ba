import { ROLE_TEMPLATES } from "#src/domain/permission/given_roles.ts";
import type { Context } from "hono";
import type { HttpEnv } from "#src/http/env.ts";
import { declareTagged, IfMatch, readIfMatch } from "#src/http/etag.ts";
import { toWindow, windowQuery } from "#src/http/list.ts";
import { body, failing, json, newRouter, route } from "#src/http/router.ts";
import type { Language } from "#src/kernel/language.ts";
import { notFound } from "#src/kernel/errors.ts";
import { changeRole, createRole, deleteRole } from "./change_roles.ts";
import type { AccessDeps } from "../needs.ts";
import { NewRoleBody, Ok, ok, Role, RoleBody, RoleList, RolePath } from "./schemas.ts";
import { showRole, showRoles } from "./views.ts";

const READ = { "x-permission": "users:read" as const, tags: ["Users and roles"] };
const WRITE = { "x-permission": "users:write" as const, tags: ["Users and roles"] };

const list = route({
  ...READ,
  method: "get",
  operationId: "listRoles",
  path: "/admin/roles",
  summary: "List roles",
  description: "For administrators of users. The answer also contains templates for new roles.",
  request: { query: windowQuery() },
  responses: { 200: json(RoleList, "Roles by name and all role templates") },
});
const create = route({
  ...WRITE,
  method: "post",
  operationId: "createRole",
  "x-audit": "role.created",
  path: "/admin/roles",
  summary: "Create a role",
  description: "For administrators of users. The caller must hold all permissions of the new role.",
  request: { body: body(NewRoleBody) },
  responses: { 201: declareTagged(Role, "Role") },
});
const get = route({
  ...READ,
  method: "get",
  operationId: "getRole",
  path: "/admin/roles/{name}",
  summary: "Read a role",
  description: "For administrators of users.",
  request: { params: RolePath },
  responses: { 200: declareTagged(Role, "Role") },
});
const save = route({
  ...WRITE,
  method: "put",
  operationId: "changeRole",
  "x-audit": "role.changed",
  path: "/admin/roles/{name}",
  summary: "Change a role",
  description: "For administrators of users. The change applies to the next call of each member.",
  request: { params: RolePath, headers: IfMatch, body: body(RoleBody) },
  responses: { 200: declareTagged(Role, "Role"), ...failing(409, 412, 422) },
});
const remove = route({
  ...WRITE,
  method: "delete",
  operationId: "deleteRole",
  "x-audit": "role.deleted",
  path: "/admin/roles/{name}",
  summary: "Delete a role",
  description:
    "For administrators of users. A role with members or inheriting roles cannot be deleted.",
  request: { params: RolePath, headers: IfMatch },
  responses: { 200: json(Ok, "The change was made"), ...failing(409, 412, 422) },
});

function templatesIn(language: Language) {
  return ROLE_TEMPLATES.map(({ name, displayName, description, permissions }) => ({
    name,
    display_name: displayName[language],
    description: description[language],
    permissions: [...permissions],
  }));
}

export function roleRoutes(deps: AccessDeps) {
  const detail = async (c: Context<HttpEnv>, name: string) => {
    const found = await showRole(deps, name, c.var.language);
    if (!found) throw notFound("Role", name);
    c.header("ETag", found.etag);
    return found.role;
  };
  return newRouter("framework")
    .openapi(list, async (c) => {
      const { language } = c.var;
      const { rows, about } = toWindow(await showRoles(deps, language), c.req.valid("query"));
      return c.json({ roles: rows, templates: templatesIn(language), ...about }, 200);
    })
    .openapi(create, async (c) => {
      const { name, ...fields } = c.req.valid("json");
      await createRole(deps, { name, change: getChange(fields), by: c.var.actor });
      return c.json(await detail(c, name), 201);
    })
    .openapi(get, async (c) => c.json(await detail(c, c.req.valid("param").name), 200))
    .openapi(save, async (c) => {
      const { name } = c.req.valid("param");
      const change = getChange(c.req.valid("json"));
      await changeRole(deps, { name, change, by: c.var.actor, ifMatch: readIfMatch(c) });
      c.var.access.forget();
      return c.json(await detail(c, name), 200);
    })
    .openapi(remove, async (c) => {
      const { name } = c.req.valid("param");
      await deleteRole(deps, name, { by: c.var.actor, ifMatch: readIfMatch(c) });
      return c.json(ok, 200);
    });
}

interface Fields {
  readonly display_name?: string | undefined;
  readonly description?: string | undefined;
  readonly inherits_from?: readonly string[] | undefined;
  readonly permissions?: readonly string[] | undefined;
}

function getChange({ display_name: displayName, inherits_from: inheritsFrom, ...rest }: Fields) {
  return { ...rest, displayName, inheritsFrom };
}
