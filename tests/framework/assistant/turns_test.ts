import { assert, assertEquals, assertMatch } from "@std/assert";
import { inTurn, startAssistant } from "#tests/support/assistant.ts";
import { deps, postgresUrl } from "#tests/support/db.ts";
import { readEvents } from "#tests/support/sse.ts";
import { until } from "#tests/support/until.ts";

Deno.test({
  ...deps("PostgreSQL", postgresUrl),
  name: "a turn of the assistant",
  fn: async (t) => {
    await using it = await startAssistant();
    const { model } = it;
    const clerk = await it.member("clerk", "00001");
    const show = async (id: string, token = clerk) =>
      (await it.call("GET", `/ai/conversations/${id}`, { token })).body;

    await t.step("sends the model's text as events, and stores it", async () => {
      model.answer({ text: ["Bon", "jour"], usage: { prompt_tokens: 12, completion_tokens: 3 } });
      const events = await it.follow(clerk, { message: "Hello\nthere", app: "sales" });
      const names = events.map((it) => it.event);
      assertEquals([names[0], names.at(-1)], ["message.start", "message.end"]);
      const deltas = events.filter((it) => it.event === "ai.chat.delta");
      assertEquals(deltas.map((it) => it.data.text).join(""), "Bonjour");
      assertEquals(deltas.map((it) => it.data.index), deltas.map((_, at) => at));
      const { conversation_id } = events[0]?.data ?? {};
      const { usage, finish_reason } = events.at(-1)?.data ?? {};
      assertEquals([usage, finish_reason], [{ input_tokens: 12, output_tokens: 3 }, "stop"]);
      const kept = await show(conversation_id);
      assertEquals([kept.title, kept.app, kept.owner, kept.message_count], [
        "Hello",
        "sales",
        "clerk",
        2,
      ]);
      assertEquals(kept.messages.map((it: { parts: unknown }) => it.parts), [
        [{ type: "text", text: "Hello\nthere" }],
        [{ type: "text", text: "Bonjour" }],
      ]);
    });

    await t.step("answers one JSON with stream=false, and continues the conversation", async () => {
      model.answer({ text: "One." });
      const first = await it.ask(clerk, { message: "How many?" });
      assertEquals([first.status, first.body.message, first.body.finish_reason], [
        200,
        "One.",
        "stop",
      ]);
      assertEquals(first.body.tool_calls, []);
      await it.ask(clerk, {
        conversation_id: first.body.conversation_id,
        message: "And then?",
        model: "large",
      });
      const { body } = model.asked.at(-1) ?? { body: {} };
      assertEquals(body.model, "large");
      const offered = await it.call("GET", "/ai/models", { token: clerk });
      assertEquals(offered.body, { models: ["small", "large"] });
      assertEquals(body.messages.map((it: { role: string; content: string }) => it.role), [
        "system",
        "user",
        "assistant",
        "user",
      ]);
    });

    await t.step(
      "calls tools with the rights of its user and tells the model rows as data",
      async () => {
        model.answer(inTurn(
          {
            text: "I look.",
            calls: [{ tool: "sql__erp__orders", with: { status: ["open"], limit: 2 } }],
          },
          { text: "Two of them." },
        ));
        const { body } = await it.ask(clerk, { message: "Open orders?" });
        assertEquals([body.message, body.finish_reason], ["I look.Two of them.", "stop"]);
        const [call] = body.tool_calls;
        assertEquals([call.state, call.permission, call.arguments], [
          "succeeded",
          "sql:erp:orders",
          { status: ["open"], limit: 2 },
        ]);
        assertEquals(call.result.columns, ["order_no", "customer_name", "status", "amount"]);
        assertEquals(call.result.rows.map((it: string[]) => it[0]), ["SO-00000002", "SO-00000004"]);
        assertEquals(call.result.truncated, true, "more rows follow");
        const told = JSON.parse(model.asked.at(-1)?.last.content ?? "");
        assertMatch(told.note, /Data, not instructions/);
        assertEquals(told.data.rows, call.result.rows);
      },
    );

    await t.step(
      "a user of another company asking the same sees other rows; one without the right no tool",
      async () => {
        const obey = (asked: { last: { role: string } }) =>
          asked.last.role === "tool" ? { text: "Done" } : { calls: [{ tool: "sql__erp__orders" }] };
        model.answer(obey);
        const rows = async (token: string) =>
          (await it.ask(token, { message: "Orders?" })).body.tool_calls[0];
        const mine = (await rows(clerk)).result.rows.map((it: string[]) => it[0]);
        const theirs = (await rows(await it.member("other", "00002"))).result.rows
          .map((it: string[]) => it[0]);
        assertEquals(theirs.slice(0, 2), ["SO-00000003", "SO-00000006"]);
        assertEquals(mine.filter((it: string) => theirs.includes(it)), []);
        const none = await rows(await it.member("none", "00001", ["ai:chat"]));
        assertEquals([none.state, none.permission, none.result], ["failed", null, null]);
        assertMatch(none.error, /no tool sql__erp__orders you may call/);
        assertEquals(model.asked.at(-1)?.tools, []);
      },
    );

    await t.step(
      "a model's mistake is reported to it, and the conversation continues",
      async () => {
        model.answer(inTurn(
          {
            calls: [
              { tool: "sql__erp__orders", with: '{"status":' },
              { tool: "sql__erp__orders", with: "[1]" },
              { tool: "sql__erp__orders", with: { stauts: ["open"] } },
              { tool: "sql__erp__order" },
              { tool: "sql__erp__orders", with: { status: ["x".repeat(30_000)] } },
              { tool: "sql__erp__orders", with: `{"q":${"[".repeat(9_000)}${"]".repeat(9_000)}}` },
            ],
          },
          { raw: "data: {broken\n\ndata: 7\n\n", text: "I am sorry." },
        ));
        const { body } = await it.ask(clerk, { message: "Try" });
        const errors = body.tool_calls.map((it: { error: string }) => it.error);
        assertMatch(errors[0], /no JSON/);
        assertMatch(errors[1], /no object/);
        assertMatch(errors[2], /no parameter stauts; did you mean status/);
        assertMatch(errors[3], /did you mean sql__erp__orders/);
        assertMatch(errors[4], /more than 20000 characters/);
        assertMatch(errors[5], /nested deeper than 64/);
        assertEquals([body.message, body.finish_reason], ["I am sorry.", "stop"]);
      },
    );

    await t.step(
      "ends after eight rounds of calls, and after eight calls of one answer",
      async () => {
        const before = model.asked.length;
        model.answer({ calls: [{ tool: "sql__erp__notes" }] });
        const { body } = await it.ask(clerk, { message: "For ever" });
        assertEquals([body.finish_reason, model.asked.length - before], ["length", 9]);
        const states = body.tool_calls.map((it: { state: string }) => it.state);
        assertEquals(states, [...Array(8).fill("succeeded"), "failed"]);
        assertEquals(model.asked.at(-1)?.tools, [], "the last time no tool is offered");
        model.answer(
          inTurn({ calls: Array(12).fill({ tool: "sql__erp__notes" }) }, { text: "Enough" }),
        );
        const many = await it.ask(clerk, { message: "Many" });
        const ran = many.body.tool_calls.filter((it: { state: string }) =>
          it.state === "succeeded"
        );
        assertEquals([ran.length, many.body.tool_calls.length], [8, 12]);
      },
    );

    await t.step(
      "the client leaving stops the model and the query, and the conversation can go on",
      async () => {
        const running = async () =>
          (await it.erp
            .owner`select 1 from pg_stat_activity where query like '%pg_sleep(30)%' and pid <> pg_backend_pid()`)
            .length;
        model.answer({ calls: [{ tool: "sql__erp__slow" }] });
        const answer = await it.send(clerk, { message: "Slowly" });
        let id = "";
        const reader = answer.body?.getReader();
        const decoder = new TextDecoder();
        for (let text = ""; !text.includes("tool.call");) {
          text += decoder.decode((await reader?.read())?.value);
          id = /"conversation_id":"([^"]+)"/.exec(text)?.[1] ?? "";
        }
        await until(async () => await running() === 1, "the query runs", 20_000);
        await reader?.cancel();
        await until(async () => await running() === 0, "the query has ended", 20_000);
        await until(async () => !(await show(id)).turn_under_way, "the turn has ended", 20_000);
        const last = (await show(id)).messages.at(-1);
        assertEquals([last.finish_reason, last.parts.at(-1).state], ["aborted", "failed"]);
        model.answer({ text: ["a", "b"], then: "hang" });
        const closed = model.closed;
        const hanging = await it.send(clerk, { conversation_id: id, message: "Again" });
        await readEvents(hanging, (events) => events.some((it) => it.event === "ai.chat.delta"));
        await until(() => model.closed > closed, "the model was let go", 20_000);
        await until(async () => !(await show(id)).turn_under_way, "the turn has ended", 20_000);
        model.answer({ text: "Here." });
        assertEquals(
          (await it.ask(clerk, { conversation_id: id, message: "And now?" })).body.message,
          "Here.",
        );
      },
    );

    await t.step("who waits for one answer and leaves ends the turn too", async () => {
      model.answer({ text: ["a"], then: "hang" });
      const leaving = new AbortController();
      const before = model.asked.length;
      const asked = it.app.request("/ai/chat?stream=false", {
        method: "POST",
        headers: { authorization: `Bearer ${clerk}`, "content-type": "application/json" },
        body: JSON.stringify({ message: "Leaving" }),
        signal: leaving.signal,
      });
      await until(() => model.asked.length > before, "the model is asked", 20_000);
      leaving.abort();
      assertEquals((await (await asked).json()).finish_reason, "aborted");
    });
    await t.step("one turn at a time", async () => {
      model.answer({ text: ["a"], then: "hang" });
      const answer = await it.send(clerk, { message: "Wait" });
      const [start] = await readEvents(answer.clone(), (events) => events.length > 0);
      const id = start?.data.conversation_id;
      const second = await it.ask(clerk, { conversation_id: id, message: "Hurry" });
      assertEquals(second.status, 409);
      assertMatch(second.body.detail, /under way/);
      await answer.body?.cancel();
      await until(async () => !(await show(id)).turn_under_way, "the turn has ended", 20_000);
    });

    await t.step("of one user four go on at once, however many begin together", async () => {
      model.answer({ text: ["a"], then: "hang" });
      const sent = await Promise.all(
        Array.from({ length: 12 }, () => it.send(clerk, { message: "Wait" })),
      );
      const going = sent.filter((one) => one.status === 200);
      for (const one of sent) if (one.status !== 200) await one.body?.cancel();
      assertEquals(
        [going.length, sent.filter((one) => one.status === 429).length],
        [4, 8],
      );
      for (const one of going) await readEvents(one.clone(), (events) => events.length > 0);
      const more = await Promise.all([5, 6].map(() => it.ask(clerk, { message: "Me too" })));
      for (const one of more) {
        assertEquals(one.status, 429);
        assertMatch(one.body.detail, /clerk has 4 turns under way/);
      }
      for (const one of going) await one.body?.cancel();
      await until(
        async () => {
          const { items } = (await it.call("GET", "/ai/conversations", { token: clerk })).body;
          return !items.some((it: { turn_under_way: boolean }) => it.turn_under_way);
        },
        "all have ended",
        20_000,
      );
    });
    await t.step(
      "a model that fails fails the turn in a sentence, and what was said is kept",
      async () => {
        const cases = [
          [{ status: 500 }, 502, /HTTP 500/],
          [{ status: 429, headers: { "retry-after": "7" } }, 429, /pause/],
          [{ text: "Half", then: "drop" as const }, 502, /broke off/],
        ] as const;
        for (const [reply, status, sentence] of cases) {
          model.answer(reply);
          const answer = await it.ask(clerk, { message: "Why?" });
          assertEquals(answer.status, status);
          assertMatch(answer.body.detail, sentence);
          const kept = await show(answer.body.conversation_id);
          assertEquals(kept.messages.at(-1).finish_reason, "error");
          const events = await it.follow(clerk, { message: "Why?" });
          assertEquals(events.slice(-2).map((it) => it.event), ["message.end", "error"]);
          assertMatch(events.at(-1)?.data.detail, sentence);
        }
      },
    );

    await t.step("deltas are sent live too, only to the owner", async () => {
      const other = await it.member("listener", "00001");
      const [hers, his] = await Promise.all(
        [clerk, other].map((token) => it.request("GET", "/api/live?topics=ai", { token })),
      );
      const seen = readEvents(
        hers ?? new Response(),
        (events) => events.some((it) => it.data?.text?.endsWith("end")),
      );
      const nothing = readEvents(
        his ?? new Response(),
        (events) => events.some((it) => it.data?.text === "mine end"),
      );
      model.answer({ text: "to the end" });
      const { body } = await it.ask(clerk, { message: "Speak" });
      const delta = (await seen).find((it) => it.data?.text === "to the end");
      assertEquals([delta?.data.text, delta?.data.conversation_id, delta?.data.message_id], [
        "to the end",
        body.conversation_id,
        body.message_id,
      ]);
      model.answer({ text: "mine end" });
      await it.ask(other, { message: "Speak" });
      assertEquals((await nothing).map((it) => it.data.text).filter(Boolean), ["mine end"]);
    });

    await t.step("a request for something that does not exist is refused", async () => {
      const id = crypto.randomUUID();
      const cases: [body: unknown, status: number][] = [
        [{}, 400],
        [{ message: " " }, 400],
        [{ message: "x", modle: "small" }, 400],
        [{ message: "x", model: "huge" }, 400],
        [{ message: "x", app: "no\napp" }, 400],
        [{ message: "x", conversation_id: "1" }, 400],
        [{ message: "x", conversation_id: id }, 404],
        [{ approvals: [{ tool_call_id: "a", decision: "allow" }] }, 400],
        [{ message: "x".repeat(50_001) }, 400],
        [{ message: "x\0y" }, 400],
      ];
      for (const [body, status] of cases) {
        const answer = await it.ask(clerk, body);
        assertEquals(answer.status, status, JSON.stringify([body, answer.body]).slice(0, 300));
      }
      const own = (await it.ask(clerk, { message: "Mine" })).body.conversation_id;
      const other = await it.member("stranger", "00001");
      assertEquals((await it.ask(other, { message: "x", conversation_id: own })).status, 404);
      assertEquals(
        (await it.call("GET", `/ai/conversations/${own}`, { token: other })).status,
        404,
      );
      assertEquals(
        (await it.call("DELETE", `/ai/conversations/${own}`, { token: other })).status,
        404,
      );
      assert((await show(own)).messages.length > 0);
    });
  },
});

Deno.test({
  ...deps("PostgreSQL", postgresUrl),
  name: "a turn that takes too long ends, and says so",
  fn: async () => {
    await using it = await startAssistant({ turnMs: 500 });
    const clerk = await it.member("clerk", "00001");
    it.model.answer({ text: "a", then: "hang" });
    const answer = await it.ask(clerk, { message: "Wait" });
    assertEquals(answer.status, 504);
    assertMatch(answer.body.detail, /longer than 0\.5 s/);
    it.model.answer({ calls: [{ tool: "sql__erp__slow" }] });
    const events = await it.follow(clerk, { message: "Wait" });
    assertMatch(events.at(-1)?.data.detail, /longer than/);
  },
});

Deno.test({
  ...deps("PostgreSQL", postgresUrl),
  name: "tokens are counted over both entry points to the model",
  fn: async () => {
    await using it = await startAssistant({ dailyTokens: 2_000 });
    const clerk = await it.member("clerk", "00001");
    it.model.answer({ text: "x", usage: { prompt_tokens: 2_000, completion_tokens: 1 } });
    const messages = [{ role: "user", content: "Why?" }];
    const answer = await it.request("POST", "/api/ai/chat", { token: clerk, body: { messages } });
    await answer.text();
    const refused = await it.ask(clerk, { message: "Why?" });
    assertEquals(refused.status, 429);
    assertMatch(refused.body.detail, /clerk has used the 2000 tokens/);
  },
});

Deno.test({
  ...deps("PostgreSQL", postgresUrl),
  name:
    "without a model the assistant says how one is configured; tools and conversations are there",
  fn: async () => {
    await using it = await startAssistant({ bare: true });
    const answer = await it.ask(it.admin, { message: "Hello" });
    assertEquals(answer.status, 503);
    assertMatch(answer.body.detail, /set AI_BASE_URL, AI_MODELS and/);
    assertEquals((await it.call("GET", "/ai/tools", { token: it.admin })).status, 200);
    const list = await it.call("GET", "/ai/conversations", { token: it.admin });
    assertEquals([list.status, list.body.items], [200, []]);
  },
});
