import { assert, assertEquals } from "@std/assert";
import { spawnSync } from "node:child_process";
import process from "node:process";

const SCRIPT = new URL("./give_back_process.ts", import.meta.url).pathname;
const LOOKS = 5;
const ONLY_LINUX = { ignore: process.platform !== "linux" };

function outputOf(what: string, variables: Record<string, string>): string {
  const { DENO_USR2_MEMORY_TRIM: _, ...environment } = process.env;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["run", "-A", "--no-check", SCRIPT, what],
    { encoding: "utf8", env: { ...environment, ...variables } },
  );
  assert(stdout, stderr);
  return stdout;
}

Deno.test("a process at rest gives back what its work has left behind", ONLY_LINUX, () => {
  const { first, most, last } = JSON.parse(outputOf("memory", { DENO_USR2_MEMORY_TRIM: "1" }));
  assert(last <= (first + most) / 2, `${first}, then ${most} MB, then ${last}`);
});

Deno.test(
  "nothing is given back but after a while without work, nor where a process cannot tell",
  ONLY_LINUX,
  () => {
    const answers: string[] = JSON.parse(outputOf("work", {}));
    assertEquals(answers.slice(0, 10).join(), "yes,yes,?,yes,yes,no,no,no,no,yes");
    assertEquals(new Set(answers.slice(10)), new Set(["no"]));
    assert(answers.length >= 10 + LOOKS, answers.join());
  },
);

Deno.test("a process that stops gives nothing back", ONLY_LINUX, () => {
  assertEquals(outputOf("stop", {}), "stopped");
});

Deno.test("the signal for it ends no process, also where Deno does not hear it", ONLY_LINUX, () => {
  assertEquals(outputOf("signal", {}), "heard");
});
