import { assertEquals, assertRejects } from "@std/assert";
import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";
import { ChildDied } from "#src/ports/children.ts";
import { until } from "#tests/support/until.ts";
import { begin, ECHO, place } from "./saxon_support.ts";

/**
 * Returns the compilers that this process has started. It lists all processes at once, because a compiler might end
 * during single queries.
 */
function compilers(): number[] {
  return readdirSync("/proc").filter((it) => /^\d+$/.test(it)).filter((pid) => {
    const [, parent] = /\) \S+ (\d+) /.exec(read(`/proc/${pid}/stat`)) ?? [];
    return Number(parent) === process.pid &&
      read(`/proc/${pid}/cmdline`).includes("compile_child.ts");
  }).map(Number);
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // it has ended
  }
}

async function killCompiler(): Promise<void> {
  await until(() => {
    const [pid] = compilers();
    return pid !== undefined && process.kill(pid, "SIGKILL");
  }, "the compiler to start");
}

Deno.test({
  name: "a compiler that somebody else ends is no fault of its stylesheet, which is compiled again",
  ignore: process.platform !== "linux",
  async fn() {
    await using at = await place();
    const stylesheet = await at.sheet(ECHO);
    const first = begin(at.xslt.transform({ stylesheet, source: "<a/>" }));
    await killCompiler();
    await assertRejects(() => first, ChildDied, "SIGKILL");
    const { output } = await at.xslt.transform({ stylesheet, source: "<a/>" });
    assertEquals(output, '<o p="none" n="1"><a/></o>');
  },
});

Deno.test({
  name:
    "who gives up a check ends its compiler, and who waits for the same stylesheet has it all the same",
  ignore: process.platform !== "linux",
  async fn() {
    await using at = await place();
    const stylesheet = await at.sheet(ECHO);
    const giving = new AbortController();
    const checked = begin(at.xslt.check(stylesheet, { signal: giving.signal }));
    await until(() => compilers().length > 0, "the compiler to start");
    const [compiler] = compilers();
    const transformed = begin(at.xslt.transform({ stylesheet, source: "<a/>" }));
    giving.abort(new Error("given up"));
    await assertRejects(() => checked, Error, "given up");
    await until(() => !compilers().includes(Number(compiler)), "the compiler to end");
    assertEquals((await transformed).output, '<o p="none" n="1"><a/></o>');
  },
});

Deno.test({
  name: "a compiler that somebody else ends is not begun once for each who waits for it",
  ignore: process.platform !== "linux",
  async fn() {
    await using at = await place();
    const stylesheet = await at.sheet(ECHO);
    const waiting = ["<a/>", "<b/>", "<c/>"].map((source) =>
      begin(at.xslt.transform({ stylesheet, source }))
    );
    await killCompiler();
    for (const it of waiting) await assertRejects(() => it, ChildDied, "SIGKILL");
    assertEquals(compilers(), []);
  },
});
