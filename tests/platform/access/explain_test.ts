import { assertEquals, assertStringIncludes } from "@std/assert";
import { must, startAccess } from "#tests/support/access.ts";

async function started() {
  const access = await startAccess();
  const role = (name: string, body: object) =>
    must(
      access.call("POST", "/admin/roles", { token: access.admin, body: { name, ...body } }),
      201,
    );
  await role("reader", { permissions: ["sql:*:*"] });
  await role("clerk", { permissions: ["invoices:read"], inherits_from: ["reader"] });
  await role("writer", { permissions: ["sql:erp:close:write"] });
  const body = { username: "marie", password: "a quiet evening at sea", roles: ["clerk"] };
  await must(access.call("POST", "/admin/users", { token: access.admin, body }), 201);
  const explain = async (user: string, code: string) =>
    await access.call("GET", `/admin/permissions/explain?user=${user}&code=${code}`, {
      token: access.admin,
    });
  return { ...access, explain, [Symbol.asyncDispose]: access[Symbol.asyncDispose] };
}

Deno.test("a permission is explained: by which grant, over which roles, or who would grant it", async () => {
  await using access = await started();
  const { body } = await must(access.explain("Marie", "sql:erp:orders"), 200);
  assertEquals(body, {
    user: "marie",
    code: "sql:erp:orders",
    allowed: true,
    active: true,
    grant: "sql:*:*",
    chains: [["clerk", "reader"]],
    granting: ["clerk", "reader"],
  });
  const write = await must(access.explain("marie", "sql:erp:close:write"), 200);
  assertEquals(
    [write.body.allowed, write.body.grant, write.body.chains, write.body.granting],
    [false, null, [], ["writer"]],
  );
  const nobody = await must(access.explain("marie", "settings:raw"), 200);
  assertEquals(nobody.body.granting, ["admin"]);
  const admin = await must(access.explain("admin", "settings:raw"), 200);
  assertEquals([admin.body.grant, admin.body.chains], ["*", [["admin"]]]);
  assertEquals((await access.explain("nobody", "sql:erp:orders")).status, 404);
  const wild = await access.explain("marie", "sql:*:*");
  assertEquals(wild.status, 400);
  assertStringIncludes(wild.body.detail, "sql:*:* is no permission code");
});

Deno.test("an account that may not sign in is allowed nothing", async () => {
  await using access = await started();
  const body = { active: false };
  await must(access.call("PUT", "/admin/users/marie", { token: access.admin, body }), 200);
  const { body: explained } = await must(access.explain("marie", "sql:erp:orders"), 200);
  assertEquals([explained.allowed, explained.active, explained.grant], [false, false, "sql:*:*"]);
});

Deno.test("other roles are tried on without being given", async () => {
  await using access = await started();
  const tryOn = (body: object) =>
    access.call("POST", "/admin/permissions/what-if", { token: access.admin, body });
  const { body } = await must(tryOn({ roles: ["reader", "writer"], user: "marie" }), 200);
  assertEquals(body, {
    permissions: ["sql:*:*", "sql:erp:close:write"],
    gained: ["sql:erp:close:write"],
    lost: ["invoices:read"],
  });
  const without = await must(tryOn({ roles: ["clerk"] }), 200);
  assertEquals(without.body, { permissions: ["invoices:read", "sql:*:*"], gained: [], lost: [] });
  assertEquals((await tryOn({ roles: ["boss"] })).status, 422);
  const marie = await must(access.explain("marie", "invoices:read"), 200);
  assertEquals(marie.body.allowed, true);
});

Deno.test("a refusal names the roles that would allow it, but only to users who may read users", async () => {
  await using access = await started();
  const auditor = (await access.userWith("anna", ["users:read"])).token;
  const clerk = (await access.login("marie")).token;
  const refused = await access.call("GET", "/admin/audit", { token: auditor });
  assertEquals([refused.status, refused.body.permission, refused.body.granted_by], [
    403,
    "audit:read",
    ["admin"],
  ]);
  const quiet = await access.call("GET", "/admin/users", { token: clerk });
  assertEquals([quiet.status, quiet.body.granted_by], [403, undefined]);
});
