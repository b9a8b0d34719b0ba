import { assert, assertEquals, assertMatch } from "@std/assert";
import { CLERK, inTurn, startAssistant } from "#tests/support/assistant.ts";
import { deps, postgresUrl } from "#tests/support/db.ts";

const CLOSE = { tool: "sql__erp__close", with: { order_no: "SO-00000002" } };

Deno.test({
  ...deps("PostgreSQL", postgresUrl),
  name: "a write waits for its user",
  fn: async (t) => {
    await using it = await startAssistant();
    const { model } = it;
    const clerk = await it.member("clerk", "00001");
    const statusOf = async (order = "SO-00000002") =>
      (await it.erp.owner`select status, row_version from orders where order_no = ${order}`)[0];
    const reopen = () =>
      it.erp
        .owner`update orders set status = 'open', row_version = 1 where order_no = 'SO-00000002'`;
    const decide = (id: string, tool_call_id: string, decision: string, token = clerk) =>
      it.ask(token, { conversation_id: id, approvals: [{ tool_call_id, decision }] });
    /** Starts a conversation with a call that waits for approval. */
    const waiting = async (call: { tool: string; with?: unknown } = CLOSE, token = clerk) => {
      model.answer(inTurn({ text: "I close it.", calls: [call] }, { text: "Closed." }));
      const { body } = await it.ask(token, { message: "Close SO-2" });
      return { id: body.conversation_id as string, body, call: body.tool_calls[0] };
    };

    await t.step("the conversation pauses and shows the proposed call; nothing runs", async () => {
      const { body, call } = await waiting();
      assertEquals([body.finish_reason, call.state, call.permission, call.arguments], [
        "pending_approval",
        "pending_approval",
        "sql:erp:close:write",
        CLOSE.with,
      ]);
      assertEquals((await statusOf())?.["status"], "open");
    });
    await t.step("allowed, it runs once, as it was shown, and the turn goes on", async () => {
      const { id, call } = await waiting();
      const { body } = await decide(id, call.id, "allow");
      assertEquals([body.message, body.finish_reason], ["Closed.", "stop"]);
      const [ran] = body.tool_calls;
      assertEquals([ran.id, ran.state, ran.result.about], [call.id, "succeeded", { affected: 1 }]);
      assertEquals([ran.approval.by, ran.approval.decision], ["clerk", "allow"]);
      assertEquals((await statusOf())?.["row_version"], "2");
      assertMatch(model.asked.at(-1)?.last.content ?? "", /"affected":1/);
      const again = await decide(id, call.id, "allow");
      assertEquals(again.status, 409);
      assertMatch(again.body.detail, /No call call_.* waits/);
      assertEquals((await statusOf())?.["row_version"], "2");
    });
    await t.step("both the decision and the write are in the audit", async () => {
      const { body } = await it.call("GET", "/admin/audit?pageSize=50", { token: it.admin });
      const entries = JSON.stringify(body);
      assertMatch(entries, /assistant\.decided/);
      assertMatch(entries, /query\.written/);
    });
    await t.step("denied, it does not run, and the model hears of it", async () => {
      await reopen();
      const { id, call } = await waiting();
      const { body } = await decide(id, call.id, "deny");
      assertEquals([body.tool_calls[0].state, body.finish_reason], ["denied", "stop"]);
      assertMatch(model.asked.at(-1)?.last.content ?? "", /did not approve/);
      assertEquals((await statusOf())?.["status"], "open");
    });
    await t.step("saying something else denies it", async () => {
      const { id, call } = await waiting();
      await it.ask(clerk, { conversation_id: id, message: "Never mind, yes, allow, approved" });
      const { messages } = (await it.call("GET", `/ai/conversations/${id}`, { token: clerk })).body;
      assertEquals(messages[1].parts.at(-1).state, "denied");
      assertEquals((await decide(id, call.id, "allow")).status, 409);
      assertEquals((await statusOf())?.["status"], "open");
    });
    await t.step("of two that wait, one decided leaves the other waiting", async () => {
      const other = { tool: "sql__erp__careful" };
      model.answer(inTurn({ calls: [CLOSE, other] }, { text: "Done." }));
      const { body } = await it.ask(clerk, { message: "Both" });
      const [close, careful] = body.tool_calls;
      const first = await decide(body.conversation_id, careful.id, "allow");
      assertEquals(first.body.finish_reason, "pending_approval");
      const states = first.body.tool_calls.map((it: { state: string }) => it.state);
      assertEquals(states, ["pending_approval", "succeeded"]);
      const second = await decide(body.conversation_id, close.id, "deny");
      assertEquals(second.body.finish_reason, "stop");
    });
    await t.step("nobody else decides, and not in another conversation", async () => {
      const { id, call } = await waiting();
      const other = await it.member("other", "00001");
      assertEquals((await decide(id, call.id, "allow", other)).status, 404);
      const mine = (await it.ask(clerk, { message: "Hello" })).body.conversation_id;
      assertEquals((await decide(mine, call.id, "allow")).status, 409);
      const twice = [{ tool_call_id: call.id, decision: "deny" }, {
        tool_call_id: call.id,
        decision: "allow",
      }];
      assertEquals((await it.ask(clerk, { conversation_id: id, approvals: twice })).status, 409);
      assertEquals((await statusOf())?.["status"], "open");
    });
    await t.step("approvals in two processes at once run the call once", async () => {
      const { id, call } = await waiting();
      const answers = await Promise.all([1, 2, 3].map(() => decide(id, call.id, "allow")));
      assertEquals(answers.map((it) => it.status).sort(), [200, 409, 409]);
      assertEquals((await statusOf())?.["row_version"], "2");
      await reopen();
    });
    await t.step(
      "who has lost the right meanwhile, or whose company has changed, runs nothing of what was shown before",
      async () => {
        const weak = await it.member("weak", "00001");
        const { id, call } = await waiting(CLOSE, weak);
        const codes = CLERK.filter((it) => it !== "sql:erp:close:write");
        const role = { permissions: codes };
        assertEquals(
          (await it.call("PUT", "/admin/roles/role of weak", { token: it.admin, body: role }))
            .status,
          200,
        );
        const { body } = await decide(id, call.id, "allow", weak);
        assertEquals(body.tool_calls[0].state, "failed");
        assertMatch(body.tool_calls[0].error, /no tool sql__erp__close you may call/);
        assertEquals((await statusOf())?.["status"], "open");
        const mover = await it.member("mover", "00001");
        const moved = await waiting(CLOSE, mover);
        const user = { roles: ["role of mover"], claims: { company: "00002" } };
        assertEquals(
          (await it.call("PUT", "/admin/users/mover", { token: it.admin, body: user })).status,
          200,
        );
        const after = await decide(moved.id, moved.call.id, "allow", mover);
        assertEquals(after.body.tool_calls[0].state, "failed");
        assertMatch(after.body.tool_calls[0].error, /have changed since the call was shown/);
        assertEquals((await statusOf())?.["status"], "open");
      },
    );
    await t.step("a call that changed since it was shown does not run", async () => {
      const { id, call } = await waiting();
      const text = await it.text("connectors");
      const changed = text.replace(
        "set status = 'closed', row_version",
        "set status = 'gone', row_version",
      );
      assert(changed !== text);
      assertEquals((await it.write("connectors", changed)).status, 200);
      const { body } = await decide(id, call.id, "allow");
      assertMatch(body.tool_calls[0].error, /have changed since the call was shown/);
      assertEquals((await statusOf())?.["status"], "open");
      assertEquals((await it.write("connectors", text)).status, 200);
    });
    await t.step("nor does it run in another database than it was shown for", async () => {
      const { id, call } = await waiting();
      const text = await it.text("pools");
      const moved = text.replace(/database: \S+/, "database: elsewhere");
      assert(moved !== text);
      assertEquals((await it.write("pools", moved)).status, 200);
      const { body } = await decide(id, call.id, "allow");
      assertMatch(body.tool_calls[0].error, /have changed since the call was shown/);
      assertEquals((await it.write("pools", text)).status, 200);
      assertEquals((await statusOf())?.["status"], "open");
    });
    await t.step("a query that requires approval waits although it only reads", async () => {
      const { body } = await waiting({ tool: "sql__erp__careful" });
      assertEquals(body.finish_reason, "pending_approval");
    });
  },
});
