import { assert, assertEquals } from "@std/assert";
import { deps, postgresUrl } from "#tests/support/db.ts";
import { CLERK, startAssistant } from "#tests/support/assistant.ts";

interface Tool {
  readonly name: string;
  readonly permission: string;
  readonly confirm: string;
  // deno-lint-ignore no-explicit-any -- a schema of the test's own
  readonly input_schema: any;
  readonly title: string;
}

Deno.test({
  ...deps("PostgreSQL", postgresUrl),
  name: "the catalogue of tools",
  fn: async (t) => {
    await using it = await startAssistant();
    const tools = async (token: string, headers = {}): Promise<Tool[]> =>
      (await it.call("GET", "/ai/tools", { token, headers })).body;
    const clerk = await it.member("clerk", "00001");
    const names = (all: readonly Tool[]) => all.map((it) => it.name);

    await t.step(
      "holds what is offered to models and its caller may call, and nothing else",
      async () => {
        assertEquals(names(await tools(clerk)), [
          "api__fx__latest",
          "sql__erp__careful",
          "sql__erp__close",
          "sql__erp__notes",
          "sql__erp__orders",
          "sql__erp__slow",
        ]);
        const reader = await it.member("reader", "00001", ["ai:chat", "sql:erp:hidden"]);
        assertEquals(names(await tools(reader)), []);
        const all = names(await tools(it.admin));
        assert(all.includes("sql__erp__secret") && all.includes("search_invoices"), `${all}`);
        assert(!all.includes("sql__erp__hidden"), "it is not offered to models");
      },
    );
    await t.step("a verb of the product needs its own code and that of its data", async () => {
      const names = async (name: string, codes: readonly string[]) =>
        (await tools(await it.member(name, "00001", codes))).map((it) => it.name);
      assertEquals(await names("half", ["ai:chat", "ai:tool:*"]), []);
      assertEquals(await names("other", ["ai:chat", "invoices:read"]), []);
      assertEquals(
        await names("one", ["ai:chat", "invoices:read", "ai:tool:status_history"]),
        ["status_history"],
      );
      assertEquals((await names("whole", ["ai:chat", "invoices:read", "ai:tool:*"])).length, 5);
    });
    await t.step("values bound from the caller are in no schema", async () => {
      for (const { input_schema } of await tools(clerk)) {
        assertEquals("company" in input_schema.properties, false);
        assertEquals(input_schema.additionalProperties, false);
      }
      const orders = (await tools(clerk)).find((it) => it.name === "sql__erp__orders");
      const { status, limit, sort } = orders?.input_schema.properties ?? {};
      assertEquals(status.type, "array");
      assert(limit && sort);
    });
    await t.step(
      "a write always asks a person, a call outside once data was read, a read never",
      async () => {
        const how = (await tools(clerk)).map((it) => [it.name, it.confirm]);
        assertEquals(Object.fromEntries(how), {
          api__fx__latest: "ask",
          sql__erp__careful: "always",
          sql__erp__close: "always",
          sql__erp__notes: "never",
          sql__erp__orders: "never",
          sql__erp__slow: "never",
        });
      },
    );
    await t.step("titles are in the caller's language", async () => {
      const titles = async (language: string) =>
        (await tools(it.admin, { "x-service-lang": language }))
          .filter((it) => ["sql__erp__orders", "search_invoices"].includes(it.name))
          .map((it) => it.title);
      assertEquals(await titles("fr"), ["Chercher des factures", "Commandes"]);
      assertEquals(await titles("en"), ["Search invoices", "Orders"]);
    });
    await t.step("names suit the models, and are unique per code", async () => {
      const queries = ["a.b", "a_b", `${"long".repeat(15)}x`, `${"long".repeat(15)}y`, "a__b"]
        .map((name) => `      ${name}: { sql: select 1 as one, ai: true }`).join("\n");
      const text = (await it.text("connectors")).replace(
        "    queries:\n",
        `    queries:\n${queries}\n`,
      );
      assertEquals((await it.write("connectors", text)).status, 200);
      const all = names(await tools(it.admin));
      assertEquals(all.filter((it) => !/^[A-Za-z0-9_-]{1,64}$/.test(it)), []);
      assertEquals(new Set(all).size, all.length);
      assertEquals(all.length, 5 + 12);
    });
    await t.step("without the permission to chat there is no catalogue", async () => {
      const none = await it.member("none", "00001", CLERK.filter((it) => it !== "ai:chat"));
      assertEquals((await it.call("GET", "/ai/tools", { token: none })).status, 403);
    });
  },
});
