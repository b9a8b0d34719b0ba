import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Deps } from "#src/deps.ts";
import { queryRoutes } from "#src/gateway/queries/routes.ts";
import { must, startAccess } from "#tests/support/access.ts";

interface Resource {
  readonly read: string;
  readonly write: readonly [method: string, path: string];
  /** Body of each writer. */
  readonly bodies: readonly [unknown, unknown];
}

const template = (type: string, properties: Record<string, string>) => ({
  name: "t",
  type,
  properties,
});
const endpoint = JSON.stringify({ url: "https://a.example/x" });

const RESOURCES: Readonly<Record<string, Resource>> = {
  "a document template": {
    read: "/api/templates/doc",
    write: ["PUT", "/api/config/template?name=doc"],
    bodies: [
      { ...template("document", { submit: "N" }), name: "doc" },
      { ...template("document", { submit: "Y" }), name: "doc" },
    ],
  },
  "a rule": {
    read: "/api/templates/rule",
    write: ["PUT", "/api/templates/rule"],
    bodies: [
      { ...template("notification-rule", { subject: "a" }), name: "rule" },
      { ...template("notification-rule", { subject: "b" }), name: "rule" },
    ],
  },
  "a connector": {
    read: "/api/config/template?name=api",
    write: ["PUT", "/api/templates/api"],
    bodies: [
      { ...template("connector", { "endpoint.a": endpoint }), name: "api" },
      { ...template("connector", { "endpoint.b": endpoint }), name: "api" },
    ],
  },
  "a role": {
    read: "/admin/roles/clerk",
    write: ["PUT", "/admin/roles/clerk"],
    bodies: [{ description: "a" }, { description: "b" }],
  },
  "a user": {
    read: "/admin/users/ann",
    write: ["PUT", "/admin/users/ann"],
    bodies: [{ display_name: "A" }, { display_name: "B" }],
  },
  "a user's password": {
    read: "/admin/users/ann",
    write: ["POST", "/admin/users/ann/password"],
    bodies: [{ password: "correct horse one" }, { password: "correct horse two" }],
  },
  "the saved queries": {
    read: "/api/queries",
    write: ["PUT", "/api/queries"],
    bodies: [{ queries: { a: "select 1" } }, { queries: { b: "select 2" } }],
  },
};

Deno.test("of two writers of the same version one gets 412 with the current tag, and loses nothing", async (t) => {
  await using it = await startAccess({ routes: (deps) => [queryRoutes(deps as unknown as Deps)] });
  const call = (method: string, path: string, body?: unknown, ifMatch?: string) =>
    it.call(method, path, {
      token: it.admin,
      body,
      ...ifMatch !== undefined && { headers: { "if-match": ifMatch } },
    });
  for (const what of ["a document template", "a rule", "a connector"]) {
    await must(call("POST", "/api/templates", RESOURCES[what]?.bodies[0]), 200);
  }
  await must(call("POST", "/admin/roles", { name: "clerk", permissions: [] }), 201);
  await must(call("POST", "/admin/users", { username: "ann" }), 201);
  for (const [what, { read, write: [method, path], bodies }] of Object.entries(RESOURCES)) {
    await t.step(what, async () => {
      const tag = (await must(call("GET", read), 200)).headers.get("etag") ?? "";
      assertMatch(tag, /^"[^"]+"$/);
      const answers = await Promise.all(bodies.map((body) => call(method, path, body, tag)));
      assertEquals(answers.map((it) => it.status).sort(), [200, 412]);
      const [lost, won] = answers.toSorted((a, b) => b.status - a.status);
      const current = (await call("GET", read)).headers.get("etag");
      assert(current !== tag);
      assertEquals([lost?.headers.get("etag"), won?.headers.get("etag")], [current, current]);
      assertMatch(lost?.body.error ?? lost?.body.detail, /was changed meanwhile: it is "/);
      for (const stale of [tag, `W/${current}`, '"nonsense"', "", " , "]) {
        assertEquals((await call(method, path, bodies[0], stale)).status, 412, stale);
      }
      for (const fine of [`"x", ${current}`, "*", undefined]) {
        await must(call(method, path, bodies[0], fine), 200);
      }
    });
  }
  await t.step("the same applies to deletions", async () => {
    assertEquals((await call("DELETE", "/api/templates/rule", undefined, '"0"')).status, 412);
    assertEquals((await call("DELETE", "/admin/roles/clerk", undefined, '"0"')).status, 412);
    await must(call("DELETE", "/api/templates/rule"), 200);
    await must(call("DELETE", "/admin/roles/clerk", undefined, "*"), 200);
  });
});
