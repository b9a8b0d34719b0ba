import { assert, assertEquals, assertMatch } from "@std/assert";
import { startModel } from "#tests/support/language_model.ts";
import { startProduct } from "#tests/support/product.ts";

Deno.test("a user's tokens of the day are counted as the endpoint says, and by length where it says nothing", async (t) => {
  await using model = await startModel({ text: "Because." });
  await using product = await startProduct({ ...model.environment, AI_DAILY_TOKENS: "1000" });
  const ask = () =>
    product.request("/api/ai/chat", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ messages: [{ role: "user", content: "Why?" }] }),
    });
  const query = async () => await (await ask()).text();

  await t.step("the tokens of an answer are those that the endpoint counted", async () => {
    model.answer({ text: "Because.", usage: { prompt_tokens: 500, completion_tokens: 400 } });
    assertMatch(await query(), /Because/);
    model.answer({ text: "Because." });
    assertMatch(await query(), /Because/, "900 of 1000 are used");
    model.answer({ text: "Because.", usage: { prompt_tokens: 90, completion_tokens: 10 } });
    assertMatch(await query(), /Because/);
  });
  await t.step(
    "who has used them up waits for the next day, and the model is not asked",
    async () => {
      const before = model.asked.length;
      const answer = await ask();
      assertEquals(answer.status, 429);
      assertMatch((await answer.json()).error, /anonymous has used the 1000 tokens/);
      const seconds = Number(answer.headers.get("retry-after"));
      assert(seconds > 0 && seconds <= 86_400, `${seconds}`);
      assertEquals(model.asked.length, before);
    },
  );
  await t.step("in French too", async () => {
    const answer = await product.post(
      "/api/ai/chat",
      { messages: [{ role: "user", content: "x" }] },
      { "x-service-lang": "fr" },
    );
    assertMatch(answer.body.error, /a utilisé les 1000 jetons/);
  });
});
