import { assertEquals } from "@std/assert";
import { spawn } from "node:child_process";
import process from "node:process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import settings from "../../../deno.json" with { type: "json" };

const PARENT = fileURLToPath(new URL("./stopped_parent.ts", import.meta.url));

Deno.test({
  name: "a child that the machine gives no time to is not late, with the product's permissions",
  ignore: process.platform !== "linux",
  async fn() {
    const rights = settings.tasks.start.split(" ").filter((it) => it.startsWith("--allow-"));
    const parent = spawn(
      process.execPath,
      ["run", "--no-check", "--no-prompt", ...rights, PARENT],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    assertEquals(await text(parent.stdout), "2\n");
  },
});
