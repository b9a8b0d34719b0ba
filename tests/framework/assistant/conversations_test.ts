import { assert, assertEquals, assertMatch } from "@std/assert";
import { sql } from "drizzle-orm";
import { aiShares } from "#drizzle/schema/mod.ts";
import { must } from "#tests/support/access.ts";
import { CLERK, inTurn, startAssistant } from "#tests/support/assistant.ts";
import { deps, postgresUrl } from "#tests/support/db.ts";

Deno.test({
  ...deps("PostgreSQL", postgresUrl),
  name: "conversations are their owner's to list, read, rename and delete",
  fn: async (t) => {
    await using it = await startAssistant();
    const [alice, bob] = [await it.member("alice", "00001"), await it.member("bob", "00001")];
    it.model.answer({ text: "Yes." });
    const ids: string[] = [];
    for (const message of ["First", "Second", "Third"]) {
      ids.push((await it.ask(alice, { message })).body.conversation_id);
    }
    const list = async (query = "", token = alice) =>
      (await it.call("GET", `/ai/conversations${query}`, { token })).body;
    const titles = (body: { items: { title: string }[] }) => body.items.map((it) => it.title);

    await t.step("the last that changed first, a page at a time", async () => {
      assertEquals(titles(await list()), ["Third", "Second", "First"]);
      const page = await list("?limit=1&offset=1");
      assertEquals([titles(page), page.total, page.limit, page.offset], [["Second"], 3, 1, 1]);
      assertEquals((await list("", bob)).total, 0);
      await it.ask(alice, { conversation_id: ids[0], message: "More" });
      assertEquals(titles(await list())[0], "First");
      assertEquals(
        (await it.call("GET", "/ai/conversations?pagesize=1", { token: alice })).status,
        400,
      );
    });
    await t.step("messages come a page at a time too", async () => {
      const { body } = await it.call("GET", `/ai/conversations/${ids[0]}?limit=2&offset=1`, {
        token: alice,
      });
      const roles = body.messages.map((it: { role: string }) => it.role);
      assertEquals([roles, body.message_count], [["assistant", "user"], 4]);
      assertEquals("tag" in body || "turn" in body, false);
    });
    await t.step("a title is changed as it was read, or not", async () => {
      const path = `/ai/conversations/${ids[1]}`;
      const read = await it.request("GET", path, { token: alice });
      await read.body?.cancel();
      const etag = read.headers.get("etag") ?? "";
      const put = (title: string, headers = {}) =>
        it.call("PUT", path, { token: alice, body: { title }, headers });
      const changed = await put("Renamed", { "if-match": etag });
      assertEquals([changed.status, changed.body.title], [200, "Renamed"]);
      assertEquals((await put("Late", { "if-match": etag })).status, 412);
      assertEquals((await put(" ")).status, 400);
      assertEquals(
        (await it.call("PUT", path, { token: bob, body: { title: "Mine" } })).status,
        404,
      );
    });
    await t.step("deleted, it is gone for good", async () => {
      const path = `/ai/conversations/${ids[2]}`;
      assertEquals((await it.call("DELETE", path, { token: bob })).status, 404);
      assertEquals((await it.call("DELETE", path, { token: alice })).status, 204);
      assertEquals((await it.call("GET", path, { token: alice })).status, 404);
      assertEquals((await it.ask(alice, { conversation_id: ids[2], message: "x" })).status, 404);
      assertEquals((await list()).total, 2);
    });
    await t.step("the audit records the deletion, and none of the content", async () => {
      const { body } = await it.call("GET", "/admin/audit?pageSize=100", { token: it.admin });
      const told = body.entries.filter((it: { target: string }) =>
        it.target === `conversation:${ids[2]}`
      );
      assertEquals(told.map((it: { event: string }) => it.event), ["conversation.deleted"]);
      assertEquals(told[0].before, { messages: 2 });
      assertEquals(JSON.stringify(body).includes("Third"), false);
    });
    await t.step("an invalid id is reported as such", async () => {
      const answer = await it.call("GET", "/ai/conversations/x", {
        token: alice,
        headers: { "x-service-lang": "fr" },
      });
      assertEquals(answer.status, 400);
      const gone = await it.call("GET", `/ai/conversations/${crypto.randomUUID()}`, {
        token: alice,
        headers: { "x-service-lang": "fr" },
      });
      assertMatch(gone.body.detail, /^La conversation .* n'existe pas$/);
    });
  },
});

Deno.test({
  ...deps("PostgreSQL", postgresUrl),
  name: "a link shows a conversation as it was, and nothing else",
  fn: async (t) => {
    await using it = await startAssistant();
    const alice = await it.member("alice", "00001");
    it.model.answer(
      inTurn({ text: "I look.", calls: [{ tool: "sql__erp__notes" }] }, { text: "Found." }),
    );
    const id = (await it.ask(alice, { message: "Who?" })).body.conversation_id;
    const path = `/ai/conversations/${id}/share`;
    const share = async (body = {}, token = alice) =>
      (await it.call("POST", path, { token, body })).body;
    const open = (token: string) =>
      it.call("GET", "/ai/shared", { headers: { "x-share-token": token } });

    await t.step("without results there are only words", async () => {
      const link = await share();
      assertEquals(link.path, `/shared#${link.token}`);
      assertEquals(link.token.length, 43, "256 bits");
      const { status, body } = await open(link.token);
      assertEquals(status, 200);
      assertEquals(body.messages.map((it: { parts: unknown }) => it.parts), [
        [{ type: "text", text: "Who?" }],
        [{ type: "text", text: "I look." }],
        [{ type: "text", text: "Found." }],
      ]);
      assertEquals(Object.keys(body).sort(), [
        "created_at",
        "expires_at",
        "messages",
        "shared_at",
        "title",
      ]);
      const text = JSON.stringify(body);
      assertEquals(/alice|Customer|sql:erp|SO-/.test(text), false, text);
    });
    await t.step("the token is nowhere in the database", async () => {
      const link = await share();
      const rows = await it.deps.db.select().from(aiShares);
      assertEquals(JSON.stringify(rows).includes(link.token), false);
      assertMatch(rows[0]?.tokenHash ?? "", /^[0-9a-f]{64}$/);
      const keyed = await it.call("POST", path, {
        token: alice,
        body: {},
        headers: { "idempotency-key": "again" },
      });
      const kept = await it.database.db.execute("select body from idempotency_keys");
      assertEquals(JSON.stringify(kept).includes(keyed.body.token), false);
    });
    await t.step("later messages are not in it; a new link ends the previous one", async () => {
      const link = await share();
      it.model.answer({ text: "Later." });
      await it.ask(alice, { conversation_id: id, message: "And?" });
      assertEquals((await open(link.token)).body.messages.length, 3);
      const next = await share();
      assertEquals((await open(link.token)).status, 404);
      assertEquals((await open(next.token)).body.messages.length, 5);
    });
    const grant = async (permissions: readonly string[]) =>
      await must(
        it.call("PUT", "/admin/roles/role of alice", { token: it.admin, body: { permissions } }),
        200,
      );
    const belong = async (company: string) =>
      await must(
        it.call("PUT", "/admin/users/alice", {
          token: it.admin,
          body: { roles: ["role of alice"], claims: { company } },
        }),
        200,
      );
    await t.step("results only on request", async () => {
      const link = await share({ include_results: true });
      const [call] = (await open(link.token)).body.messages
        .flatMap((it: { parts: object[] }) => it.parts)
        .filter((it: { type: string }) => it.type === "tool_call");
      assertMatch(JSON.stringify(call), /Customer 1/);
      assertEquals(Object.keys(call).sort(), ["arguments", "result", "state", "tool", "type"]);
    });
    await t.step(
      "it leads nowhere while its owner lacks what an answer in it rests on, shown or not: words tell of results too",
      async () => {
        for (const include_results of [true, false]) {
          const link = await share({ include_results });
          await grant(CLERK.filter((it) => it !== "sql:erp:notes"));
          assertEquals((await open(link.token)).status, 404, "the tool");
          await grant(CLERK.filter((it) => it !== "ai:share"));
          assertEquals((await open(link.token)).status, 404, "the right to share");
          await grant(CLERK);
          await belong("00002");
          assertEquals((await open(link.token)).status, 404, "rows of a company of before");
          await belong("00001");
          assertEquals((await open(link.token)).status, 200);
        }
      },
    );
    await t.step("answers that the owner may no longer see are not shared", async () => {
      await grant(CLERK.filter((it) => it !== "sql:erp:notes"));
      const code = await it.call("POST", path, { token: alice, body: {} });
      assertEquals(code.status, 403);
      assertMatch(code.body.detail, /rests on sql:erp:notes/);
      await grant(CLERK);
      await belong("00002");
      const claim = await it.call("POST", path, { token: alice, body: {} });
      assertEquals(claim.status, 403);
      assertMatch(claim.body.detail, /rests on claims\.company/);
      await belong("00001");
    });
    await t.step(
      "rows told by roles rest on these roles, and on the claims they are told by",
      async () => {
        const path = "/admin/config/connectors/raw";
        const text = await (await it.request("GET", path, { token: it.admin })).text();
        const query = `      told:
        sql: select order_no, company, status from orders
        row_filter: { "role of alice": "company = :claims.company", "role of deputy": "status = 'open'" }
        ai: true
`;
        const hidden = "      hidden:";
        assertEquals(
          (await it.write("connectors", text.replace(hidden, query + hidden))).status,
          200,
        );
        await it.userWith("deputy", ["ai:chat"]);
        const are = async (roles: readonly string[], company = "00001") =>
          await must(
            it.call("PUT", "/admin/users/alice", {
              token: it.admin,
              body: { roles, claims: { company } },
            }),
            200,
          );
        await grant([...CLERK, "sql:erp:told"]);
        await are(["role of alice", "role of deputy"]);
        it.model.answer(inTurn({ calls: [{ tool: "sql__erp__told" }] }, { text: "Two." }));
        const { conversation_id } = (await it.ask(alice, { message: "Which?" })).body;
        const shared = await it.call("POST", `/ai/conversations/${conversation_id}/share`, {
          token: alice,
          body: {},
        });
        const status = async () => (await open(shared.body.token)).status;
        assertEquals(await status(), 200);
        await are(["role of alice"]);
        assertEquals(await status(), 404, "rows of the deputy");
        await are(["role of alice", "role of deputy"], "00002");
        assertEquals(await status(), 404, "rows of another company");
        await are(["role of alice", "role of deputy"]);
        assertEquals(await status(), 200);
        await are(["role of alice"]);
        await grant(CLERK);
      },
    );
    await t.step("an answer about invoices rests on the right to read them too", async () => {
      const verbs = ["ai:tool:invoice_statistics", "invoices:read"];
      await grant([...CLERK, ...verbs]);
      it.model.answer(inTurn({ calls: [{ tool: "invoice_statistics" }] }, { text: "None." }));
      const { conversation_id } = (await it.ask(alice, { message: "How many?" })).body;
      const { body } = await it.call("POST", `/ai/conversations/${conversation_id}/share`, {
        token: alice,
        body: { include_results: true },
      });
      assertEquals((await open(body.token)).status, 200);
      for (const missing of verbs) {
        await grant([...CLERK, ...verbs].filter((it) => it !== missing));
        assertEquals((await open(body.token)).status, 404, missing);
      }
      await grant(CLERK);
    });
    await t.step("links and calls of a version that stored no grounds are refused", async () => {
      const link = await share();
      const { db } = it.deps;
      await db.execute("update ai_shares set snapshot = (snapshot::jsonb - 'grounds')::json");
      assertEquals((await open(link.token)).status, 404);
      await db.execute(
        sql`update ai_messages set parts = replace(parts::text, '"grounds"', '"x"')::json`,
      );
      const answer = await it.call("POST", path, { token: alice, body: {} });
      assertEquals(answer.status, 409);
      assertMatch(answer.body.detail, /an earlier version/);
      await db.execute(
        sql`update ai_messages set parts = replace(parts::text, '"x"', '"grounds"')::json`,
      );
    });
    await t.step(
      "it ends when it is taken back, when its time is over, with its owner and with the conversation",
      async () => {
        const link = await share();
        assertEquals((await it.call("DELETE", path, { token: alice })).status, 204);
        assertEquals((await open(link.token)).status, 404);
        assertEquals((await it.call("DELETE", path, { token: alice })).status, 404);
        const old = await share({ expires_in_days: 1 });
        await it.deps.db.update(aiShares).set({ expiresAt: new Date("2020-01-01") });
        assertEquals((await open(old.token)).status, 404);
        const last = await share();
        const off = { roles: ["role of alice"], active: false };
        assertEquals(
          (await it.call("PUT", "/admin/users/alice", { token: it.admin, body: off })).status,
          200,
        );
        assertEquals((await open(last.token)).status, 404);
      },
    );
    await t.step("guesses and nonsense lead nowhere, without a word of why", async () => {
      for (const token of ["x", "'; drop table", "A".repeat(43)]) {
        const { status, body } = await open(encodeURIComponent(token));
        assertEquals([status, body.detail], [404, "The link leads nowhere, or no longer"]);
      }
      assertEquals((await it.call("GET", "/ai/shared")).status, 400);
    });
    await t.step("sharing needs its own right, and the conversation to be one's own", async () => {
      const bob = await it.member("bob", "00001");
      assertEquals((await it.call("POST", path, { token: bob, body: {} })).status, 404);
      const mute = await it.member("mute", "00001", ["ai:chat"]);
      const denied = await it.call("POST", path, { token: mute, body: {} });
      assertEquals(denied.status, 403);
      assertMatch(denied.body.detail, /ai:share/);
      assert(!JSON.stringify(denied.body).includes("Who?"));
    });
  },
});
