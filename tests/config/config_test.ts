import { assertEquals, assertThrows } from "@std/assert";
import { ConfigError, loadConfig } from "#src/config/config.ts";

Deno.test("every mistake of the environment is reported at once, by name and without the value of a secret", () => {
  const error = assertThrows(
    () =>
      loadConfig({ PORT: "eighty", DATABASE_URL: "mysql://x", SECRET_KEY: "hush", LEASE_MS: "1" }),
    ConfigError,
  ) as ConfigError;
  assertEquals(error.problems.length, 4);
  for (const name of ["PORT", "DATABASE_URL", "SECRET_KEY", "LEASE_MS"]) {
    assertEquals(error.message.includes(name), true, name);
  }
  assertEquals(error.message.includes("hush"), false);
});

Deno.test("without authentication the product does not leave the loopback", () => {
  assertThrows(() => loadConfig({ AUTH: "off", HOST: "0.0.0.0" }), ConfigError, "AUTH=on");
  assertEquals(loadConfig({ AUTH: "off", HOST: "127.0.0.1" }).http.host, "127.0.0.1");
});

Deno.test("a fleet needs its database", () => {
  assertThrows(() => loadConfig({ REDIS_URL: "redis://127.0.0.1" }), ConfigError, "DATABASE_URL");
});
