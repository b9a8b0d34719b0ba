import { assert, assertEquals, assertMatch } from "@std/assert";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { join } from "node:path";
import { createFirstAdmin } from "#src/platform/access/mod.ts";
import { inTurn } from "#tests/support/assistant.ts";
import { startModel } from "#tests/support/language_model.ts";
import { GOLDEN, startProduct } from "#tests/support/product.ts";

Deno.test("the assistant knows the product's own invoices, embedded too", async (t) => {
  await using model = await startModel();
  await using product = await startProduct(model.environment);
  const file = await product.place(join(GOLDEN, "erp", "R42565-single.xml"));
  await product.post("/api/run", { template: "R42565", file, mode: "SINGLE" });
  const [{ fedoc, fedct, kco }] = (await product.get("/api/invoices")).body.invoices;
  const id = `${fedoc}-${fedct}-${kco}`;
  const call = async (tool: string, given: object, headers = {}) => {
    model.answer(inTurn({ calls: [{ tool, with: given }] }, { text: "Done." }));
    const { status, body } = await product.post("/ai/chat?stream=false", { message: "?" }, headers);
    assertEquals(status, 200, JSON.stringify(body));
    return body.tool_calls[0];
  };
  /** Returns rows by the names of their columns. */
  // deno-lint-ignore no-explicit-any -- a result is what the test asserts
  const rows = ({ result }: any): Record<string, unknown>[] =>
    result.rows.map((row: unknown[]) =>
      Object.fromEntries(result.columns.map((it: string, at: number) => [it, row[at]]))
    );

  await t.step("finds them", async () => {
    const found = await call("search_invoices", { search: id.split("-")[0] });
    assertEquals([found.state, rows(found)[0]?.["invoice"], found.result.row_count], [
      "succeeded",
      id,
      1,
    ]);
    assertEquals(rows(await call("search_invoices", { direction: "received" })), []);
    const wrong = await call("search_invoices", { custumer: "x" });
    assertMatch(wrong.error, /no parameter custumer; did you mean customer/);
  });
  await t.step("explains their findings with sums", async () => {
    const explained = await call("explain_findings", { invoice: id });
    const { about, columns } = explained.result;
    assertEquals([about.invoice, typeof about.total_with_vat, Array.isArray(about.vat)], [
      id,
      "number",
      true,
    ]);
    assertEquals(columns.length === 0 || columns.includes("erp_field"), true);
    const missing = await call("explain_findings", { invoice: "1-RI-00009" });
    assertMatch(missing.error, /Invoice 1-RI-00009 does not exist/);
    const french = await call("explain_findings", { invoice: "nonsense" }, {
      "x-service-lang": "fr",
    });
    assertMatch(french.error, /nonsense/);
  });
  await t.step("shows their history, allowed actions and number", async () => {
    const history = rows(await call("status_history", { invoice: id }));
    assertEquals(history[0]?.["statusCode"], "9900");
    const steps = await call("next_steps", { invoice: id });
    assertEquals([steps.state, steps.result.about.invoice], ["succeeded", id]);
    assertEquals(rows(steps).every((it) => it["allowed"] === true), true);
    const counts = rows(await call("invoice_statistics", {}));
    assert(counts.some((it) => Number(it["count"]) > 0));
    assertEquals(rows(await call("invoice_statistics", { to: "2000-01-01" })), []);
  });
  await t.step("gives an invoice as XML, as findings and as PDF by MCP", async () => {
    const client = new Client({ name: "test", version: "1" });
    await client.connect(
      new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), {
        fetch: (_: URL, init: RequestInit) => product.request("/mcp", init),
      }),
    );
    const read = async (name: string) =>
      (await client.readResource({ uri: `passerelle://invoices/${id}/${name}` })).contents[0];
    assertMatch((await read("ubl")).text, /<Invoice|<ubl:Invoice/);
    assert(Array.isArray(JSON.parse((await read("findings")).text).errors));
    const { blob, mimeType } = await read("pdf");
    assertEquals([mimeType, atob(blob).slice(0, 5)], ["application/pdf", "%PDF-"]);
    await client.close();
  });
  await t.step(
    "a page of another site, or a name that is not this machine's, is kept out where nobody signs in",
    async () => {
      const body = { jsonrpc: "2.0", id: 1, method: "ping" };
      const accept = "application/json, text/event-stream";
      const from = async (headers: Record<string, string>) =>
        (await product.post("/mcp", body, { accept, ...headers })).status;
      assertEquals(await from({}), 200);
      assertEquals(await from({ origin: "https://evil.example" }), 403);
      assertEquals(await from({ host: "evil.example" }), 403);
    },
  );
});

Deno.test("the embedded database with its single connection shares a conversation although accounts are queried", async () => {
  await using model = await startModel();
  model.answer({ text: "Hello." });
  const password = "correct horse battery staple";
  await using product = await startProduct({
    ...model.environment,
    AUTH: "on",
  });
  await createFirstAdmin(product.deps, password);
  const { body } = await product.post("/auth/login", { username: "admin", password });
  const headers = { authorization: `Bearer ${body.access_token}` };
  const asked = await product.post("/ai/chat?stream=false", { message: "?" }, headers);
  const share = `/ai/conversations/${asked.body.conversation_id}/share`;
  const shared = await product.post(share, {}, headers);
  assertEquals(shared.status, 200, JSON.stringify(shared.body));
});
