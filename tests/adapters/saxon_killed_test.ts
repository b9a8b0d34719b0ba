import { assertEquals, assertRejects } from "@std/assert";
import { readdir, readFile } from "node:fs/promises";
import process from "node:process";
import { ChildDied } from "#src/ports/children.ts";
import { until } from "#tests/support/until.ts";
import { begun, ECHO, place } from "./saxon_support.ts";

/** The compilers this process has started. */
async function compilers({ most = Infinity } = {}): Promise<number[]> {
  const found: number[] = [];
  for (const pid of (await readdir("/proc")).filter((it) => /^\d+$/.test(it))) {
    const read = (name: string) => readFile(`/proc/${pid}/${name}`, "utf8").catch(() => "");
    const [, parent] = /\) \S+ (\d+) /.exec(await read("stat")) ?? [];
    const isOwn = Number(parent) === process.pid;
    if (isOwn && (await read("cmdline")).includes("compile_child.js")) found.push(Number(pid));
    if (found.length >= most) break;
  }
  return found;
}

/** At once where it is found: on a busy machine it is through before it is looked for again. */
async function killCompiler(): Promise<void> {
  await until(async () => {
    const [pid] = await compilers({ most: 1 });
    return pid !== undefined && process.kill(pid, "SIGKILL");
  }, "the compiler to start");
}

Deno.test({
  name: "a compiler that somebody else ends is no fault of its stylesheet, which is compiled again",
  ignore: process.platform !== "linux",
  async fn() {
    await using at = await place();
    const stylesheet = await at.sheet(ECHO);
    const first = begun(at.xslt.transform({ stylesheet, source: "<a/>" }));
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
    const checked = begun(at.xslt.check(stylesheet, { signal: giving.signal }));
    await until(async () => (await compilers()).length > 0, "the compiler to start");
    const [compiler] = await compilers();
    const transformed = begun(at.xslt.transform({ stylesheet, source: "<a/>" }));
    giving.abort(new Error("given up"));
    await assertRejects(() => checked, Error, "given up");
    await until(async () => !(await compilers()).includes(Number(compiler)), "the compiler to end");
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
      begun(at.xslt.transform({ stylesheet, source }))
    );
    await killCompiler();
    for (const it of waiting) await assertRejects(() => it, ChildDied, "SIGKILL");
    assertEquals(await compilers(), []);
  },
});
