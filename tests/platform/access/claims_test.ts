import { assertEquals } from "@std/assert";
import { must, PASSWORD, startAccess } from "#tests/support/access.ts";

Deno.test("claims of an account are shown and stored, and only users who have them may grant them", async () => {
  await using access = await startAccess();
  const { admin, call } = access;
  const clerk = { username: "marie", password: PASSWORD, claims: { company: "00001" } };
  const made = await must(call("POST", "/admin/users", { token: admin, body: clerk }), 201);
  assertEquals(made.body.claims, { company: "00001" });
  const marie = (await access.login("marie")).token;
  const me = await must(call("GET", "/auth/me", { token: marie }), 200);
  assertEquals(me.body.claims, { company: "00001" });

  const { token } = await access.userWith("bernd", ["users:write", "users:read"]);
  const claims = (of: string, claims: object, by = token) =>
    call("PUT", `/admin/users/${of}`, { token: by, body: { claims } });
  const refused = await claims("bernd", { company: "00001" });
  assertEquals([refused.status, refused.body.detail], [
    403,
    "Changing bernd needs the values of claims.company, by which queries choose rows, which you do not hold yourself",
  ]);
  await must(claims("bernd", { company: ["00001", "00002"] }, admin), 200);
  await must(claims("marie", { company: "00002" }), 200);
  assertEquals((await claims("marie", { company: ["00002", "00003"] })).status, 403);
  await must(claims("marie", {}), 200);
  const after = await must(call("GET", "/auth/me", { token: marie }), 200);
  assertEquals(after.body.claims, {}, "a session that is open sees it at once");
  assertEquals((await claims("marie", { "a-b": "x" }, admin)).status, 400);
  assertEquals((await claims("marie", { a: { deep: 1 } }, admin)).status, 400);
});
