import { ROLE_TEMPLATES } from "#src/domain/permission/given_roles.ts";
import { body, frameworkFailures, json, newRouter, route } from "#src/http/router.ts";
import { notFound } from "#src/kernel/errors.ts";
import { changeRole, createRole, deleteRole } from "./change_roles.ts";
import type { AccessNeeds } from "./needs.ts";
import { NewRoleBody, Ok, ok, Role, RoleBody, RoleList, RolePath } from "./schemas.ts";
import { showRole, showRoles } from "./views.ts";

const READ = { "x-permission": "users:read" as const, tags: ["Users and roles"] };
const WRITE = { "x-permission": "users:write" as const, tags: ["Users and roles"] };

const list = route({
  ...READ,
  method: "get",
  path: "/admin/roles",
  summary: "List roles, and the templates new ones can start from",
  responses: { 200: json(RoleList, "All roles"), ...frameworkFailures },
});
const create = route({
  ...WRITE,
  method: "post",
  path: "/admin/roles",
  summary: "Create a role; nobody grants what they do not hold",
  request: { body: body(NewRoleBody) },
  responses: { 201: json(Role, "The role"), ...frameworkFailures },
});
const save = route({
  ...WRITE,
  method: "put",
  path: "/admin/roles/{name}",
  summary: "Change a role; members feel it on their next call",
  request: { params: RolePath, body: body(RoleBody) },
  responses: { 200: json(Role, "The role"), ...frameworkFailures },
});
const remove = route({
  ...WRITE,
  method: "delete",
  path: "/admin/roles/{name}",
  summary: "Delete a role; refused while it has members or heirs",
  request: { params: RolePath },
  responses: { 200: json(Ok, "Done"), ...frameworkFailures },
});

const templates = ROLE_TEMPLATES.map(({ displayName, permissions, ...it }) => ({
  ...it,
  display_name: displayName,
  permissions: [...permissions],
}));

export function roleRoutes(deps: AccessNeeds) {
  const detail = async (name: string) => {
    const role = await showRole(deps, name);
    if (!role) throw notFound("Role", name);
    return role;
  };
  return newRouter("framework")
    .openapi(list, async (c) => c.json({ roles: await showRoles(deps), templates }, 200))
    .openapi(create, async (c) => {
      const { name, ...fields } = c.req.valid("json");
      await createRole(deps, { name, change: changeOf(fields), by: c.var.actor });
      return c.json(await detail(name), 201);
    })
    .openapi(save, async (c) => {
      const { name } = c.req.valid("param");
      await changeRole(deps, { name, change: changeOf(c.req.valid("json")), by: c.var.actor });
      c.var.access.forget();
      return c.json(await detail(name), 200);
    })
    .openapi(remove, async (c) => {
      await deleteRole(deps, c.req.valid("param").name, c.var.actor);
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
