import { assertEquals } from "@std/assert";
import { spawn } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { signalTo } from "#tests/support/processes.ts";
import { until } from "#tests/support/until.ts";

const SCRIPT = fileURLToPath(new URL("./told_to_stop_process.ts", import.meta.url));

function start() {
  const child = spawn(process.execPath, ["run", "--no-check", "--no-prompt", "-A", SCRIPT], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  let said = "";
  let end: number | string | null | undefined;
  child.stdout.on("data", (it) => said += it);
  child.once("exit", (code, signal) => end = code ?? signal);
  return {
    child,
    tell: (signal: "SIGINT" | "SIGTERM") => signalTo(child, signal),
    says: (word: string) => until(() => said.includes(word), word),
    end: () => end,
  };
}

Deno.test("a Ctrl-C that comes twice, from the terminal and from the task, lets the work be ended", async () => {
  const { child, tell, says, end } = start();
  await says("here");
  tell("SIGINT");
  await says("told");
  tell("SIGINT");
  tell("SIGTERM");
  child.stdin.end();
  await until(() => end() !== undefined, "its end");
  assertEquals(end(), 3);
});

Deno.test("a second request to stop ends the process immediately", async () => {
  const { tell, says, end } = start();
  await says("here");
  const ends = () => {
    if (end() === undefined) tell("SIGTERM");
    return end() !== undefined;
  };
  await until(ends, "its end");
  assertEquals(end(), "SIGTERM");
});
