import type { Context } from "hono";
import type { HttpEnv } from "#src/http/env.ts";
import { declareTagged, IfMatch, readIfMatch } from "#src/http/etag.ts";
import { toWindow } from "#src/http/list.ts";
import { body, failing, json, newRouter, route } from "#src/http/router.ts";
import { notFound } from "#src/kernel/errors.ts";
import { changeUser, createUser, setPassword } from "./change_users.ts";
import type { AccessDeps } from "../needs.ts";
import {
  NewUserBody,
  Ok,
  ok,
  PasswordBody,
  UserBody,
  UserDetail,
  UserList,
  UserListQuery,
  UserPath,
} from "./schemas.ts";
import { showTaggedUser, showUsers } from "./views.ts";

const READ = { "x-permission": "users:read" as const, tags: ["Users and roles"] };
const WRITE = { "x-permission": "users:write" as const, tags: ["Users and roles"] };
const ofUser = { params: UserPath };

const list = route({
  ...READ,
  method: "get",
  operationId: "listUsers",
  path: "/admin/users",
  summary: "List users",
  description: "For administrators of users. Users are sorted by name.",
  request: { query: UserListQuery },
  responses: { 200: json(UserList, "Users by name") },
});
const get = route({
  ...READ,
  method: "get",
  operationId: "getUser",
  path: "/admin/users/{username}",
  summary: "Read a user",
  description:
    "For administrators of users. The answer shows the roles that grant each permission.",
  request: ofUser,
  responses: { 200: declareTagged(UserDetail, "User with the origin of each permission") },
});
const create = route({
  ...WRITE,
  method: "post",
  operationId: "createUser",
  "x-audit": "user.created",
  path: "/admin/users",
  summary: "Create a user",
  description:
    "For administrators of users. The caller must hold all permissions that the new user receives.",
  request: { body: body(NewUserBody) },
  responses: {
    201: declareTagged(UserDetail, "User with the origin of each permission"),
    ...failing(429),
  },
});
const save = route({
  ...WRITE,
  method: "put",
  operationId: "changeUser",
  "x-audit": "user.changed",
  path: "/admin/users/{username}",
  summary: "Change a user",
  description: "For administrators of users. Omitted fields do not change.",
  request: { ...ofUser, headers: IfMatch, body: body(UserBody) },
  responses: {
    200: declareTagged(UserDetail, "User with the origin of each permission"),
    ...failing(409, 412, 422),
  },
});
const password = route({
  ...WRITE,
  method: "post",
  operationId: "setUserPassword",
  "x-audit": "user.password_set",
  path: "/admin/users/{username}/password",
  summary: "Set the password of a user",
  description: "For administrators of users. All sessions of the user end.",
  request: { ...ofUser, headers: IfMatch, body: body(PasswordBody) },
  responses: { 200: declareTagged(Ok, "The change was made"), ...failing(412, 429) },
});
export function userRoutes(deps: AccessDeps) {
  const detail = async (c: Context<HttpEnv>, given: string) => {
    const username = given.toLowerCase();
    const found = await showTaggedUser(deps, username);
    if (!found) throw notFound("User", username);
    c.header("ETag", found.etag);
    return found.user;
  };
  return newRouter("framework")
    .openapi(list, async (c) => {
      const { search, role, active, ...window } = c.req.valid("query");
      const { rows, about } = toWindow(await showUsers(deps, { search, role, active }), window);
      return c.json({ users: rows, ...about }, 200);
    })
    .openapi(get, async (c) => c.json(await detail(c, c.req.valid("param").username), 200))
    .openapi(create, async (c) => {
      const { display_name: displayName, ...user } = c.req.valid("json");
      const username = await createUser(deps, { ...user, displayName }, c.var.actor);
      return c.json(await detail(c, username), 201);
    })
    .openapi(save, async (c) => {
      const username = c.req.valid("param").username.toLowerCase();
      const { display_name: displayName, ...change } = c.req.valid("json");
      await changeUser(deps, {
        username,
        change: { ...change, displayName },
        by: c.var.actor,
        ifMatch: readIfMatch(c),
      });
      c.var.access.forget();
      return c.json(await detail(c, username), 200);
    })
    .openapi(password, async (c) => {
      const username = c.req.valid("param").username.toLowerCase();
      await setPassword(deps, {
        username,
        password: c.req.valid("json").password,
        by: c.var.actor,
        ifMatch: readIfMatch(c),
      });
      c.var.access.forget();
      await detail(c, username);
      return c.json(ok, 200);
    });
}
