import { assertEquals, assertRejects } from "@std/assert";
import { readdir, readFile } from "node:fs/promises";
import process from "node:process";
import { ChildDied } from "#src/ports/children.ts";
import { until } from "#tests/support/until.ts";
import { begun, ECHO, place } from "./saxon_support.ts";

/** The compilers this process has started. */
async function compilers(): Promise<number[]> {
  const found: number[] = [];
  for (const pid of (await readdir("/proc")).filter((it) => /^\d+$/.test(it))) {
    const read = (name: string) => readFile(`/proc/${pid}/${name}`, "utf8").catch(() => "");
    const [, parent] = /\) \S+ (\d+) /.exec(await read("stat")) ?? [];
    const isOwn = Number(parent) === process.pid;
    if (isOwn && (await read("cmdline")).includes("compile_child.js")) found.push(Number(pid));
  }
  return found;
}

Deno.test({
  name: "a compiler that somebody else ends is no fault of its stylesheet, which is compiled again",
  ignore: process.platform !== "linux",
  async fn() {
    await using at = await place();
    const stylesheet = await at.sheet(ECHO);
    const first = begun(at.xslt.transform({ stylesheet, source: "<a/>" }));
    await until(async () => (await compilers()).length > 0, "the compiler to start");
    for (const pid of await compilers()) process.kill(pid, "SIGKILL");
    await assertRejects(() => first, ChildDied, "SIGKILL");
    const { output } = await at.xslt.transform({ stylesheet, source: "<a/>" });
    assertEquals(output, '<o p="none" n="1"><a/></o>');
  },
});
