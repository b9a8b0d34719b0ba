import { assert, assertEquals, assertThrows } from "@std/assert";
import { ConfigError, loadConfig } from "#src/config/config.ts";

Deno.test("every secret of the environment is found in text, JSON and URL form", () => {
  const secret = 'p@ss "w/rd" \\ é';
  const names = [
    "ADMIN_PASSWORD",
    "AI_API_KEY",
    "METRICS_TOKEN",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "SERVICE_LICENSE_KEY",
    "MINE",
  ];
  for (const name of names) {
    const { secrets } = loadConfig({
      [name]: secret,
      ...name === "METRICS_TOKEN" ? { [name]: `${secret} of more letters` } : {},
      CONFIG_VARIABLES: "MINE",
    });
    const told = [
      secret,
      JSON.stringify({ secret }),
      `https://x.example/?a=${encodeURIComponent(secret)}`,
      `a=1&${new URLSearchParams({ b: secret })}`,
    ];
    for (const text of told) assert(secrets.some((it) => text.includes(it.slice(0, 14))), name);
  }
  const password = encodeURIComponent(secret);
  const { secrets } = loadConfig({ DATABASE_URL: `postgres://app:${password}@db/app` });
  assert(secrets.includes(secret) && secrets.includes(password));
});

Deno.test("an address with invalid percent-encoding is refused by its name; another program's is ignored", () => {
  const error = assertThrows(
    () => loadConfig({ DATABASE_URL: "postgres://app:hush50%@db/app" }),
    ConfigError,
    "DATABASE_URL",
  );
  assert(!error.message.includes("hush"));
  const { secrets } = loadConfig({ SOMEBODY_ELSES_URL: "https://me:hush50%@x.example" });
  assertEquals(secrets.filter((it) => it.startsWith("hush")), ["hush50%", "hush50%25"]);
});

Deno.test("an address is read without its line end, and an invalid one is refused without its value", () => {
  const { databaseUrl } = loadConfig({ DATABASE_URL: " postgres://app:hush@db/app\n" });
  assertEquals(databaseUrl, "postgres://app:hush@db/app");
  assertEquals(loadConfig({ DATABASE_URL: "POSTGRES://db/app" }).databaseUrl, "POSTGRES://db/app");
  for (
    const wrong of [
      "postgres:hush@db/app",
      "postgres://app:hu#sh@db/app",
      "postgres://app:12/hush@db/app",
      "postgres://app:12?hush@db/app",
      "postgres://app:hu sh@db/app",
    ]
  ) {
    const error = assertThrows(
      () => loadConfig({ DATABASE_URL: wrong }),
      ConfigError,
      "DATABASE_URL",
    );
    assertEquals([error.message.includes("percent-encoded"), error.message.includes("hu")], [
      true,
      false,
    ]);
  }
});
