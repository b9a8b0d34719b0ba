import type { Context } from "hono";
import type { HttpEnv } from "#src/http/env.ts";
import { IfMatch, ifMatchOf, tagged } from "#src/http/etag.ts";
import { windowOf, windowQuery } from "#src/http/list.ts";
import { body, failing, json, newRouter, route } from "#src/http/router.ts";
import { notFound } from "#src/kernel/errors.ts";
import { changeUser, createUser, setPassword } from "./change_users.ts";
import type { AccessNeeds } from "../needs.ts";
import {
  NewUserBody,
  Ok,
  ok,
  PasswordBody,
  UserBody,
  UserDetail,
  UserList,
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
  request: { query: windowQuery() },
  responses: { 200: json(UserList, "The users by name, and how many there are") },
});
const get = route({
  ...READ,
  method: "get",
  operationId: "getUser",
  path: "/admin/users/{username}",
  summary: "One user, with the roles each permission comes from",
  request: ofUser,
  responses: { 200: tagged(UserDetail, "The user") },
});
const create = route({
  ...WRITE,
  method: "post",
  operationId: "createUser",
  "x-audit": "user.created",
  path: "/admin/users",
  summary: "Create a user; nobody grants what they do not hold",
  request: { body: body(NewUserBody) },
  responses: { 201: tagged(UserDetail, "The user"), ...failing(429) },
});
const save = route({
  ...WRITE,
  method: "put",
  operationId: "changeUser",
  "x-audit": "user.changed",
  path: "/admin/users/{username}",
  summary: "Change a user; what is left out stays as it is",
  request: { ...ofUser, headers: IfMatch, body: body(UserBody) },
  responses: { 200: tagged(UserDetail, "The user"), ...failing(409, 412, 422) },
});
const password = route({
  ...WRITE,
  method: "post",
  operationId: "setUserPassword",
  "x-audit": "user.password_set",
  path: "/admin/users/{username}/password",
  summary: "Set a new password; every session of the user ends",
  request: { ...ofUser, headers: IfMatch, body: body(PasswordBody) },
  responses: { 200: tagged(Ok, "Done"), ...failing(412, 429) },
});
export function userRoutes(deps: AccessNeeds) {
  const detail = async (c: Context<HttpEnv>, given: string) => {
    const username = given.toLowerCase();
    const found = await showTaggedUser(deps, username);
    if (!found) throw notFound("User", username);
    c.header("ETag", found.etag);
    return found.user;
  };
  return newRouter("framework")
    .openapi(list, async (c) => {
      const { rows, about } = windowOf(await showUsers(deps), c.req.valid("query"));
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
        ifMatch: ifMatchOf(c),
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
        ifMatch: ifMatchOf(c),
      });
      c.var.access.forget();
      await detail(c, username);
      return c.json(ok, 200);
    });
}
