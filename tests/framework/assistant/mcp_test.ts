import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { startAssistant } from "#tests/support/assistant.ts";
import { deps, postgresUrl } from "#tests/support/db.ts";

type Assistant = Awaited<ReturnType<typeof startAssistant>>;

/** Connects the SDK's own client to the served routes. */
async function connect(it: Assistant, token: string, headers: Record<string, string> = {}) {
  const client = new Client({ name: "test", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), {
    requestInit: {
      headers: { authorization: `Bearer ${token}`, "accept-language": "en", ...headers },
    },
    fetch: async (url: URL, init: RequestInit) => await it.app.request(url.toString(), init),
  });
  await client.connect(transport);
  return client;
}

Deno.test({
  ...deps("PostgreSQL", postgresUrl),
  name: "MCP",
  fn: async (t) => {
    await using it = await startAssistant();
    const clerk = await it.member("clerk", "00001");
    const client = await connect(it, clerk);
    interface Tool {
      readonly name: string;
      readonly annotations: { readonly readOnlyHint?: boolean };
      readonly inputSchema: { readonly properties?: object };
    }
    const toolsOf = async (client: Client): Promise<Tool[]> => (await client.listTools()).tools;
    // deno-lint-ignore no-explicit-any -- what a tool answers is what the test asserts
    const call = async (client: Client, name: string, given = {}): Promise<any> =>
      await client.callTool({ name, arguments: given });

    await t.step("offers the caller's tools that only read and need no approval", async () => {
      assertEquals(client.getServerVersion()?.name, "passerelle");
      const tools = await toolsOf(client);
      assertEquals(tools.map((it) => it.name), [
        "sql__erp__orders",
        "sql__erp__notes",
        "sql__erp__slow",
      ]);
      assertEquals(tools.every((it) => it.annotations?.readOnlyHint), true);
      assertEquals(tools.some((it) => "company" in (it.inputSchema.properties ?? {})), false);
      const none = await connect(it, await it.member("none", "00001", ["ai:chat"]));
      assertEquals(await toolsOf(none), []);
    });
    await t.step("runs them with the caller's rights and rows", async () => {
      const mine = await call(client, "sql__erp__orders", { status: ["open"] });
      assertEquals(mine.structuredContent.rows[0][0], "SO-00000002");
      assertMatch(mine.content[0].text, /Data, not instructions/);
      const other = await connect(it, await it.member("other", "00002"));
      const theirs = await call(other, "sql__erp__orders", { status: ["open"] });
      assertEquals(theirs.structuredContent.rows[0][0], "SO-00000006");
    });
    await t.step(
      "refuses in a sentence unknown tools, missing rights and bound values",
      async () => {
        const cases: [name: string, given: object, sentence: RegExp][] = [
          ["sql__erp__close", { order_no: "SO-00000002" }, /no tool sql__erp__close/],
          ["sql__erp__careful", {}, /no tool sql__erp__careful/],
          ["sql__erp__secret", {}, /no tool sql__erp__secret/],
          ["api__fx__latest", { base: "EUR" }, /no tool/],
          ["sql__erp__orders", { company: "00002" }, /not the caller's to give/],
          ["sql__erp__orders", { status: "gone" }, /is not one of open, closed/],
        ];
        for (const [name, given, sentence] of cases) {
          const answer = await call(client, name, given);
          assertEquals(answer.isError, true);
          assertMatch(answer.content[0].text, sentence);
        }
        const french = await connect(it, clerk, { "accept-language": "fr" });
        const answer = await call(french, "sql__erp__secret");
        assertMatch(answer.content[0].text, /Il n'existe pas d'outil/);
        const [order] = await it.erp
          .owner`select status from orders where order_no = 'SO-00000002'`;
        assertEquals(order?.["status"], "open");
      },
    );
    await t.step("checks rights again with every call", async () => {
      const put = (permissions: readonly string[]) =>
        it.call("PUT", "/admin/roles/role of clerk", { token: it.admin, body: { permissions } });
      assertEquals((await put(["ai:chat"])).status, 200);
      assertEquals(await toolsOf(client), []);
      assertEquals((await call(client, "sql__erp__orders")).isError, true);
      assertEquals((await put([])).status, 200);
      await assertRejects(() => client.listTools(), Error, "ai:chat");
    });
    await t.step("shows invoices only to users who may read them", async () => {
      const reader = await connect(
        it,
        await it.member("reader", "00001", ["ai:chat", "invoices:read"]),
      );
      const { resourceTemplates } = await reader.listResourceTemplates();
      assertEquals(resourceTemplates.map((it: { uriTemplate: string }) => it.uriTemplate), [
        "passerelle://invoices/{id}/ubl",
        "passerelle://invoices/{id}/findings",
        "passerelle://invoices/{id}/pdf",
      ]);
      for (
        const uri of [
          "passerelle://invoices/1-RI-00001/ubl",
          "passerelle://invoices/x/ubl",
          "file:///etc/passwd",
          "passerelle://invoices/%ff/pdf",
        ]
      ) {
        const refused = await assertRejects(() => reader.readResource({ uri }), Error);
        assertMatch(refused.message, /^MCP error -32002: (?!MCP error)/);
      }
      const blind = await connect(it, it.admin);
      assertEquals((await blind.listResourceTemplates()).resourceTemplates.length, 3);
      const chat = await connect(it, await it.member("chat", "00001", ["ai:chat"]));
      assertEquals((await chat.listResourceTemplates()).resourceTemplates, []);
      await assertRejects(
        () => chat.readResource({ uri: "passerelle://invoices/1-RI-00001/ubl" }),
        Error,
        "invoices:read",
      );
    });
    await t.step(
      "keeps out who has no token, pages of other sites and what is no message",
      async () => {
        const initialize = { jsonrpc: "2.0", id: 1, method: "ping" };
        const send = (
          headers: Record<string, string>,
          token?: string,
          body: unknown = initialize,
        ) => it.call("POST", "/mcp", { ...token !== undefined && { token }, body, headers });
        const accept = { accept: "application/json, text/event-stream" };
        const without = await it.request("POST", "/mcp", { body: initialize, headers: accept });
        await without.body?.cancel();
        assertEquals([without.status, without.headers.get("www-authenticate")], [401, "Bearer"]);
        const pinged = await send(accept, it.admin);
        assertEquals([pinged.status, pinged.body.result], [200, {}]);
        assertEquals(
          (await send({ ...accept, origin: "https://evil.example" }, it.admin)).status,
          403,
        );
        assertEquals(
          (await send({ ...accept, "sec-fetch-site": "cross-site" }, it.admin)).status,
          403,
        );
        assertEquals((await send({}, it.admin)).status, 406);
        assertEquals((await send(accept, it.admin, [initialize])).status, 400);
        assertEquals((await send(accept, it.admin, { jsonrpc: "1.0" })).status, 400);
        const unknown = await send(accept, it.admin, {
          jsonrpc: "2.0",
          id: 1,
          method: "tools/invent",
        });
        assertEquals([unknown.status, unknown.body.error.code], [200, -32601]);
        const get = await it.call("GET", "/mcp", { token: it.admin });
        assertEquals([get.status, get.headers.get("allow")], [405, "POST"]);
        assert(
          (await it.request("POST", "/mcp", { token: it.admin, body: initialize, headers: accept }))
            .headers.get("cache-control") === "no-store",
        );
      },
    );
    await client.close();
  },
});
