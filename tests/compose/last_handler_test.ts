import { assertEquals, assertMatch } from "@std/assert";
import { spawnSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("./last_handler_process.ts", import.meta.url));

Deno.test("uncaught errors are logged without values: a rejection ends nothing, an exception ends the process", () => {
  const args = [
    "run",
    "--no-check",
    "--no-prompt",
    "--allow-read",
    "--allow-env",
    "--allow-sys",
    SCRIPT,
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  assertEquals([status, stdout], [70, "went on\n"]);
  const [first = "", second = "", ...more] = stderr.trim().split("\n").filter((line) =>
    line.startsWith("{")
  );
  assertEquals(more, []);
  assertMatch(first, /"event":"process.rejection.unhandled".*"message":"too long"/);
  assertMatch(second, /"event":"process.exception.uncaught".*"message":"broken"/);
  assertEquals(stderr.includes("secret"), false);
});
