import { assertEquals, assertMatch } from "@std/assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { auditLog, templates } from "#drizzle/schema/mod.ts";
import { createFirstRules } from "#src/gateway/notifications/mod.ts";
import { createFirstAdmin, FIRST_USER } from "#src/platform/access/mod.ts";
import { GOLDEN, startProduct, type TestProduct } from "#tests/support/product.ts";
import { until } from "#tests/support/until.ts";

const PASSWORD = "correct horse battery staple";
const NAMES = [
  "Rejetée au contrôle",
  "Échec de l'envoi",
  "Rejetée par la plateforme",
  "Refusée par l'acheteur",
  "En litige",
];

/** Does what each start does. */
function begin({ deps }: TestProduct) {
  return createFirstAdmin(deps, PASSWORD, (tx) => createFirstRules(deps, tx, FIRST_USER));
}

function readRules({ deps }: TestProduct) {
  return deps.db.select().from(templates).where(eq(templates.type, "notification-rule"));
}

const sorted = (names: readonly string[]) => [...names].toSorted();

Deno.test("a new installation has the usual rules, which act for the first administrator and never come back", async (t) => {
  await using product = await startProduct({ AUTH: "on" });
  await Promise.all([begin(product), begin(product)]);
  const { body: { access_token: token } } = await product.post("/auth/login", {
    username: FIRST_USER,
    password: PASSWORD,
  });
  const headers = { authorization: `Bearer ${token}` };

  await t.step("they are on, in the portal only, and in the audit trail", async () => {
    const rules = await readRules(product);
    assertEquals(sorted(rules.map((it) => it.name)), sorted(NAMES));
    for (const { owner, properties } of rules) {
      assertEquals([owner, properties["enabled"]], [FIRST_USER, "Y"]);
      assertEquals([properties["channel.portal"], properties["channel.email"]], ["Y", "N"]);
    }
    const entries = await product.deps.db.select().from(auditLog)
      .where(eq(auditLog.event, "template.created"));
    assertEquals(entries.length, NAMES.length);
  });
  await t.step("a rejected invoice writes a message to its readers", async () => {
    const erp = await readFile(join(GOLDEN, "erp", "R42565-single.xml"), "utf8");
    const file = await product.write(
      "bad.xml",
      erp.replace(/(<AmtTax_ID\d+>)[^<]*/g, "$1999,00"),
    );
    const run = await product.post(
      "/api/run",
      { template: "R42565", file, mode: "SINGLE" },
      headers,
    );
    assertMatch(run.body.error, /rejected/);
    await until(async () => {
      const { body } = await product.get("/api/inbox", headers);
      return body.messages.some((it: { number: string; rule: string; subject: string }) =>
        it.rule === NAMES[0] && it.number === "RI-100000" &&
        it.subject === "Facture RI-100000 — Rejetée au contrôle"
      );
    }, "the message of the rule");
  });
  await t.step("deleted rules stay deleted", async () => {
    for (const name of NAMES) {
      const path = `/api/templates/${encodeURIComponent(name)}`;
      assertEquals((await product.send("DELETE", path, undefined, headers)).status, 200);
    }
    await begin(product);
    assertEquals(await readRules(product), []);
  });
  await t.step("an administrator creates them again, in their language, and once", async () => {
    const create = (language: string) =>
      product.post("/api/notifications/usual-rules", undefined, {
        ...headers,
        "x-service-lang": language,
      });
    assertEquals((await create("fr")).body, { success: true, created: NAMES });
    assertEquals((await create("fr")).body, { success: true, created: [] });
    assertEquals((await create("en")).body.created.length, NAMES.length);
  });
});

Deno.test("an installation that recorded invoices without accounts gets no rule", async () => {
  await using product = await startProduct();
  const file = await product.place(join(GOLDEN, "erp", "R42565-single.xml"));
  await product.post("/api/run", { template: "R42565", file, mode: "SINGLE" });
  await begin(product);
  assertEquals(await readRules(product), []);
});
