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

Deno.test("the folder of the settings is outside the data folder, whose files users can read", () => {
  for (const CONFIG_DIR of ["/srv/data", "/srv/data/settings", "/srv/data/../data/x"]) {
    const env = { DATA_DIR: "/srv/data", CONFIG_DIR };
    assertThrows(() => loadConfig(env), ConfigError, "inside DATA_DIR");
  }
  for (const CONFIG_DIR of ["/srv", "/srv/data2", "/etc/passerelle"]) {
    assertEquals(loadConfig({ DATA_DIR: "/srv/data", CONFIG_DIR }).configDir, CONFIG_DIR);
  }
});

Deno.test("files are stored in a folder, with Redis in the database, or in a bucket with its keys", () => {
  const fleet = { DATABASE_URL: "postgres://x/y", REDIS_URL: "redis://x" };
  const keys = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret" };
  const places = [{}, fleet, { ...fleet, FILES: "folder" }].map((it) => loadConfig(it).files);
  assertEquals(places.map((it) => [it.inFolder, it.s3]), [
    [true, undefined],
    [false, undefined],
    [true, undefined],
  ]);
  const { s3 } = loadConfig({ ...fleet, ...keys, FILES: "s3://invoices/fr/2026/" }).files;
  assertEquals([s3?.bucket, s3?.prefix, s3?.region], ["invoices", "fr/2026/", "us-east-1"]);
  for (const FILES of ["s3://", "s3://UPPER", "S3://x/y", "ftp://x", "s3://a/../b c"]) {
    assertThrows(() => loadConfig({ ...fleet, ...keys, FILES }), ConfigError, "FILES: folder,");
  }
  assertThrows(
    () => loadConfig({ ...fleet, FILES: "s3://invoices" }),
    ConfigError,
    "AWS_ACCESS_KEY_ID",
  );
  assertThrows(() => loadConfig({ FILES: "database" }), ConfigError, "needs DATABASE_URL");
});
