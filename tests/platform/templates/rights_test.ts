import { assert, assertEquals, assertMatch } from "@std/assert";
import { seed } from "#drizzle/seed/seed.ts";
import { must, startAccess } from "#tests/support/access.ts";

async function install() {
  const it = await startAccess();
  await seed(it.database.db, { sandbox: false });
  return it;
}

const WRITES = ["templates:read", "templates:write"];

Deno.test("users who may write templates cannot change where the installation sends invoices and mails", async (t) => {
  await using it = await install();
  const { token } = await it.userWith("supervisor", WRITES);
  const { token: setter } = await it.userWith("setter", [...WRITES, "setup:write"]);
  const elsewhere: Readonly<Record<string, Record<string, string>>> = {
    "e-invoicing": { URL: "https://evil.example/v1", token: "of the thief" },
    "e-directory": { URL: "https://evil.example/v1", token: "of the thief" },
    global: { smtpHost: "evil.example", smtpFrom: "a@evil.example" },
  };
  for (const [name, properties] of Object.entries(elsewhere)) {
    await t.step(name, async () => {
      const before = (await must(it.call("GET", `/api/templates/${name}`, { token }), 200)).body;
      const body = { name, type: "system", properties };
      for (const path of [`/api/templates/${name}`, `/api/config/template?name=${name}`]) {
        const answer = await it.call("PUT", path, { token, body });
        assertEquals([answer.status, answer.body.permission], [403, "setup:write"]);
        assertMatch(answer.body.error, new RegExp(`setup:write .*the system template ${name}`));
      }
      assertEquals((await it.call("GET", `/api/templates/${name}`, { token })).body, before);
      await must(it.call("PUT", `/api/templates/${name}`, { token: setter, body }), 200);
    });
  }
  await t.step("nor through a property of another type", async () => {
    const body = { name: "global", type: "document", properties: {} };
    assertEquals((await it.call("PUT", "/api/templates/global", { token, body })).status, 422);
  });
});

Deno.test("a rule for a user or a role that does not exist is refused, in the reader's words", async () => {
  await using it = await install();
  const token = it.admin;
  const report = async (type: string, language: string) => {
    const body = {
      name: "r",
      type: "notification-rule",
      properties: { "target.type": type, "target.name": "nobody" },
    };
    const headers = { "x-service-lang": language };
    const answer = await it.call("POST", "/api/templates", { token, body, headers });
    return [answer.status, answer.body.error];
  };
  const english = "The rule r cannot be saved: target.name: there is no";
  assertEquals(await report("User", "en"), [422, `${english} user nobody`]);
  assertEquals(await report("Role", "en"), [422, `${english} role nobody`]);
  const french = "La règle r ne peut pas être enregistrée : target.name : il n'existe pas";
  assertEquals(await report("User", "fr"), [422, `${french} d'utilisateur nobody`]);
  assertEquals(await report("Role", "fr"), [422, `${french} de rôle nobody`]);
  const rule = await it.call("GET", "/api/templates/r", { token });
  assertEquals(rule.status, 404, "nothing is kept");
});

Deno.test("a copy of a system template is a document template without its secrets", async () => {
  await using it = await install();
  const token = it.admin;
  const properties = { smtpHost: "mail.example", smtpUser: "u", smtpPassword: "s3cret" };
  const body = { name: "global", type: "system", properties };
  await must(it.call("PUT", "/api/templates/global", { token, body }), 200);
  await must(it.call("POST", "/api/templates/global/copy/Mine", { token }), 200);
  const { body: copy } = await it.call("GET", "/api/templates/Mine", { token });
  assertEquals(copy, {
    name: "Mine",
    type: "document",
    properties: { smtpHost: "mail.example", smtpUser: "u" },
  });
});

Deno.test("templates are listed by type, and every property is described in both languages", async () => {
  await using it = await install();
  const token = it.admin;
  const rule = { name: "told", type: "notification-rule", properties: {} };
  await must(it.call("POST", "/api/templates", { token, body: rule }), 200);
  const types = async (query: string) =>
    [
      ...new Set(
        (await must(it.call("GET", `/api/config/templates${query}`, { token }), 200)).body.templates
          .map((it: { type: string }) => it.type),
      ),
    ].sort();
  assertEquals(await types(""), ["document", "system"]);
  assertEquals(await types("?type=notification-rule"), ["notification-rule"]);
  assertEquals(await types("?type=system,%20notification-rule"), ["notification-rule", "system"]);
  assertEquals(await types("?type=connector"), []);
  for (const wrong of ["?type=strange", "?type=", "?type=system,,document"]) {
    const { status } = await it.call("GET", `/api/config/templates${wrong}`, { token });
    assertEquals(status, 400, wrong);
  }
  const { body } = await it.call("GET", "/api/config/template-properties", { token });
  const kinds = body.catalogues.map((it: { type: string; name?: string }) => it.name ?? it.type);
  assertEquals(kinds, [
    "global",
    "e-invoicing",
    "e-directory",
    "document",
    "notification-rule",
    "connector",
    "company",
  ]);
  for (const { properties } of body.catalogues) {
    assert(properties.length > 5);
    for (const { name, help, otherwise = help } of properties) {
      for (const text of [help.en, help.fr, otherwise.en, otherwise.fr]) {
        assert(text.length > 2, name);
      }
    }
  }
});
