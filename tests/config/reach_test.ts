import { assertEquals, assertThrows } from "@std/assert";
import { ConfigError, loadConfig } from "#src/config/config.ts";

Deno.test("pools are named by the environment and sign in under a role of their own", () => {
  const { reach } = loadConfig({
    POOL_ERP_URL: "postgres://erp@db/erp",
    POOL_JDE_2_URL: "postgresql://jde@db/jde",
    POOL__URL: "x",
    POOL_X: "y",
  });
  assertEquals([...reach.pools], [["erp", "postgres://erp@db/erp"], [
    "jde_2",
    "postgresql://jde@db/jde",
  ]]);
  const own = "postgres://passerelle:pw1@db:5432/passerelle";
  const error = assertThrows(
    () =>
      loadConfig({
        DATABASE_URL: own,
        POOL_OWN_URL: own.replace("pw1", "pw2"),
        POOL_BAD_URL: "oracle://s3cret@x",
      }),
    ConfigError,
  );
  assertEquals(error.problems.map((it: unknown) => String(it).split(/[ :]/)[0]).sort(), [
    "POOL_BAD_URL",
    "POOL_OWN_URL",
  ]);
  assertEquals(/s3cret|pw\d/.test(error.message), false);
});

Deno.test("a language model is an address and the models callers may choose", () => {
  assertEquals(loadConfig({}).reach.ai, undefined);
  const limits = { AI_DAILY_TOKENS: "5", AI_TURN_SECONDS: "2", AI_KEEP_DAYS: "7" };
  assertEquals(loadConfig(limits).reach.assistant, {
    dailyTokens: 5,
    turnMs: 2_000,
    keepDays: 7,
  });
  const ai = { AI_BASE_URL: "https://ai.test/v1", AI_API_KEY: "k", AI_MODELS: "a, b," };
  assertEquals(loadConfig(ai).reach.ai, {
    baseUrl: "https://ai.test/v1",
    apiKey: "k",
    models: ["a", "b"],
  });
  assertThrows(() => loadConfig({ AI_BASE_URL: "https://ai.test/v1" }), ConfigError, "AI_MODELS");
  assertThrows(() => loadConfig({ ...ai, AI_BASE_URL: "file:///x" }), ConfigError, "AI_BASE_URL");
});
