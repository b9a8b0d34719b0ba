import { assert, assertEquals } from "@std/assert";
import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { delay } from "#src/kernel/delay.ts";

const PARENT = fileURLToPath(new URL("./orphan_parent.ts", import.meta.url));

Deno.test("a busy child ends with its parent, even if SIGKILL ends the parent", async () => {
  const parent = spawn(process.execPath, ["run", "--no-check", "-A", PARENT], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [chunk] = await once(parent.stdout, "data");
  const pid = Number(String(chunk));
  assert(pid > 0 && isRunning(pid));
  parent.kill("SIGKILL");
  await once(parent, "close");
  for (let looks = 0; isRunning(pid) && looks < 200; looks++) await delay(25);
  assertEquals(isRunning(pid), false);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
