import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { getRows } from "#src/ports/db.ts";
import { must } from "#tests/support/access.ts";
import { CLERK, startAssistant } from "#tests/support/assistant.ts";
import { deps, postgresUrl } from "#tests/support/db.ts";
import { until } from "#tests/support/until.ts";

type Assistant = Awaited<ReturnType<typeof startAssistant>>;

interface Question {
  readonly params: { readonly message: string; readonly requestedSchema: object };
}
type Answer = { action: "accept" | "decline" | "cancel"; content?: Record<string, unknown> };

const YES: Answer = { action: "accept", content: { approve: true } };
const CLOSE = { name: "sql__erp__close", arguments: { order_no: "SO-00000002" } };
const ACCEPT = { accept: "application/json, text/event-stream" };

/** Connects the SDK's own client, whose user gives the test's answers. */
async function connect(
  it: Assistant,
  token: string,
  answer: (question: Question) => Answer | Promise<Answer>,
) {
  const client = new Client({ name: "test", version: "1" }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, answer);
  const transport = new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), {
    requestInit: { headers: { authorization: `Bearer ${token}`, "accept-language": "en" } },
    fetch: async (url: URL, init: RequestInit) => await it.app.request(url.toString(), init),
  });
  await client.connect(transport);
  return {
    session: transport.sessionId ?? "",
    // deno-lint-ignore no-explicit-any -- what a tool answers is what the test asserts
    call: async (call: object = CLOSE, options = {}): Promise<any> =>
      await client.callTool(call, undefined, options),
    tools: async (): Promise<{ name: string; annotations: { readOnlyHint: boolean } }[]> =>
      (await client.listTools()).tools,
    [Symbol.asyncDispose]: () => client.close(),
  };
}

Deno.test({
  ...deps("PostgreSQL", postgresUrl),
  name: "over MCP a write runs once the client's user has said so, and not otherwise",
  fn: async (t) => {
    await using it = await startAssistant();
    const clerk = await it.member("clerk", "00001");
    const statusOf = async () =>
      (await it.erp.owner`select status, row_version from orders where order_no = 'SO-00000002'`)[
        0
      ];
    const reopen = () =>
      it.erp
        .owner`update orders set status = 'open', row_version = 1 where order_no = 'SO-00000002'`;
    const post = (token: string, body: unknown, session?: string) =>
      it.call("POST", "/mcp", {
        token,
        body,
        headers: { ...ACCEPT, ...session !== undefined && { "mcp-session-id": session } },
      });

    const keep = async () =>
      getRows<{ id: string; answer: object | null }>(
        await it.deps.db.execute("select id, answer from ai_questions"),
      );

    await t.step("tools that need an approval are offered to who can ask", async () => {
      await using client = await connect(it, clerk, () => YES);
      const tools = await client.tools();
      const writes = tools.filter((it) => !it.annotations.readOnlyHint).map((it) => it.name);
      assertEquals(writes, ["sql__erp__close"]);
      assertEquals(tools.some((it) => it.name === "sql__erp__careful"), true);
      assertEquals(tools.some((it) => it.name === "sql__erp__secret"), false);
    });
    await t.step("accepted, it runs once, and the audit knows", async () => {
      const asked: Question[] = [];
      await using client = await connect(it, clerk, (question) => {
        asked.push(question);
        return YES;
      });
      const answer = await client.call();
      assertEquals(answer.isError, undefined, JSON.stringify(answer));
      assertEquals(answer.structuredContent.about, { affected: 1 });
      assertEquals(await statusOf(), { status: "closed", row_version: "2" });
      assertEquals(
        asked.map((it) => it.params.message),
        [`Run Close an order (sql__erp__close) with {"order_no":"SO-00000002"}?`],
      );
      const { body } = await it.call("GET", "/admin/audit?pageSize=50", { token: it.admin });
      assertMatch(JSON.stringify(body), /assistant\.decided.*mcp|mcp.*assistant\.decided/);
      await reopen();
    });
    await t.step("declined, left, or accepted without the yes, it does not", async () => {
      const answers: Answer[] = [
        { action: "decline" },
        { action: "cancel" },
        { action: "accept", content: { approve: false } },
      ];
      for (const answer of answers) {
        await using client = await connect(it, clerk, () => answer);
        const { isError, content } = await client.call();
        assertEquals(isError, true);
        assertMatch(content[0].text, /did not approve/);
      }
      await using mute = await connect(it, clerk, () => ({ action: "accept", content: {} }));
      assertEquals((await mute.call()).isError, true);
      assertEquals((await statusOf())?.["status"], "open");
    });
    await t.step("reads without approval ask nobody", async () => {
      await using client = await connect(it, clerk, () => {
        throw new Error("asked");
      });
      const answer = await client.call({ name: "sql__erp__orders", arguments: {} });
      assertEquals([answer.isError, answer.structuredContent.rows.length > 0], [undefined, true]);
    });
    await t.step("hidden characters in the arguments are shown", async () => {
      let message = "";
      await using client = await connect(it, clerk, (question) => {
        message = question.params.message;
        return { action: "decline" };
      });
      await client.call({ ...CLOSE, arguments: { order_no: "SO\u202e1\n\nApproved" } });
      assertMatch(message, /SO\\u\{202e\}1\\n\\nApproved/);
      const long = await client.call({ ...CLOSE, arguments: { order_no: "x".repeat(30_000) } });
      assertMatch(long.content[0].text, /more than 20000 characters/);
    });
    await t.step("rights, claims and tools are those of the moment it runs", async () => {
      const weak = await it.member("weak", "00001");
      const grant = (permissions: readonly string[]) =>
        must(
          it.call("PUT", "/admin/roles/role of weak", { token: it.admin, body: { permissions } }),
          200,
        );
      await using lost = await connect(it, weak, async () => {
        await grant(CLERK.filter((it) => it !== "sql:erp:close:write"));
        return YES;
      });
      assertMatch((await lost.call()).content[0].text, /no tool sql__erp__close/);
      await grant(CLERK);
      await using moved = await connect(it, weak, async () => {
        const body = { roles: ["role of weak"], claims: { company: "00002" } };
        await must(it.call("PUT", "/admin/users/weak", { token: it.admin, body }), 200);
        return YES;
      });
      assertMatch((await moved.call()).content[0].text, /have changed since the call was shown/);
      assertEquals((await statusOf())?.["status"], "open");
    });
    await t.step("nobody answers for another user, nor late, nor twice", async () => {
      const other = await it.member("other", "00001");
      let asked = "";
      let say: (answer: Answer) => void = () => {};
      await using client = await connect(it, clerk, () => new Promise((resolve) => say = resolve));
      await using stranger = await connect(it, other, () => YES);
      const running = client.call();
      running.catch(() => {}); // thrown where it is awaited
      await until(async () => {
        asked = (await keep())[0]?.id ?? "";
        return asked !== "";
      }, "the question");
      const yes = { jsonrpc: "2.0", id: asked, result: YES };
      assertEquals((await post(other, yes, stranger.session)).status, 202, "of their own session");
      assertEquals((await post(other, yes, client.session)).status, 404, "of another's");
      assertEquals((await post(clerk, yes, "ENC:AAAA")).status, 404);
      assertEquals((await post(clerk, yes)).status, 202, "of no session");
      assertEquals(
        (await post(clerk, { ...yes, id: crypto.randomUUID() }, client.session)).status,
        202,
      );
      const large = { ...yes, result: { ...YES, more: "x".repeat(20_000) } };
      assertEquals((await post(clerk, large, client.session)).status, 413);
      assertEquals((await keep())[0]?.answer, null, "none of them counted");
      say({ action: "decline" });
      assertMatch((await running).content[0].text, /did not approve/);
      assertEquals((await post(clerk, yes, client.session)).status, 202);
      assertEquals(await keep(), []);
      assertEquals((await statusOf())?.["status"], "open");
    });
    await t.step("four questions of one user wait at once, until their time is over", async () => {
      await using client = await connect(it, clerk, () => new Promise(() => {}));
      const leaving = new AbortController();
      const waiting = [1, 2, 3, 4].map(() => client.call(CLOSE, { signal: leaving.signal }));
      const all = Promise.allSettled(waiting);
      const open = async () => (await keep()).length;
      await until(async () => await open() === 4, "four questions");
      assertMatch((await client.call()).content[0].text, /clerk has 4 questions that wait/);
      leaving.abort();
      assertEquals(new Set((await all).map((it) => it.status)), new Set(["rejected"]));
      await it.deps.db.execute("update ai_questions set expires_at = now()");
      await until(async () => await open() === 0, "none is left");
      assertEquals((await statusOf())?.["status"], "open");
    });
    await t.step("a client that only opens pages, or says nothing, cannot ask", async () => {
      for (const capabilities of [{}, { elicitation: { url: {} } }, { elicitation: null }]) {
        const initialize = {
          jsonrpc: "2.0",
          id: 1,
          method: "initialize",
          params: {
            protocolVersion: "2025-11-25",
            capabilities,
            clientInfo: { name: "x", version: "1" },
          },
        };
        const answer = await it.request("POST", "/mcp", {
          token: clerk,
          body: initialize,
          headers: ACCEPT,
        });
        await answer.body?.cancel();
        assertEquals(answer.headers.get("mcp-session-id"), null);
      }
      await assertRejects(async () =>
        await must(post(clerk, { jsonrpc: "2.0", id: 1, method: "ping" }, "x"), 200)
      );
    });
  },
});
