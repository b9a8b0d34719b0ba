import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { readClosure } from "#src/adapters/saxon/closure.ts";
import { createCompiler } from "#src/adapters/saxon/compiler.ts";
import { modulesInFolders } from "#src/adapters/saxon/modules.ts";
import { failure, place } from "./saxon_support.ts";

type Place = Awaited<ReturnType<typeof place>>;

/** The modules of a place, and how often any of them was looked up. */
function counting({ root }: Place) {
  const modules = modulesInFolders([root]);
  const counted = {
    ...modules,
    times: 0,
    find: (path: string) => {
      counted.times++;
      return modules.find(path);
    },
  };
  return counted;
}

Deno.test("what a stylesheet imports thousands of times is looked up once", async () => {
  await using at = await place();
  const path = await at.sheet(
    '<xsl:import href="s0.xsl"/><xsl:import href="./b.xsl"/>'.repeat(3_000),
  );
  await at.sheet('<xsl:import href="b.xsl"/>', "b.xsl");
  const modules = counting(at);
  const { files } = await readClosure(path, modules);
  assertEquals([files.size, modules.times], [2, 2]);
});

Deno.test("a stylesheet that imports more modules than are allowed is refused before all are looked up", async () => {
  await using at = await place();
  const names = Array.from({ length: 300 }, (_, n) => `m${n}.xsl`);
  for (const name of names) await at.sheet("", name);
  const path = await at.sheet(names.map((it) => `<xsl:import href="${it}"/>`).join(""));
  const modules = counting(at);
  const { message } = await failure(readClosure(path, modules));
  assertMatch(message, /s0\.xsl imports more than 200 modules$/);
  assertEquals(modules.times, 200);
});

Deno.test("who gives up a check does not wait until its files are read", async () => {
  await using at = await place();
  const path = await at.sheet("");
  const read = Promise.withResolvers<string>();
  const begun = Promise.withResolvers<void>();
  const modules = {
    ...modulesInFolders([at.root]),
    read: () => (begun.resolve(), read.promise),
  };
  const compiler = createCompiler({ modules, cacheDir: undefined, environment: {} });
  const giving = new AbortController();
  const checked = compiler.recheck(path, giving.signal);
  await begun.promise;
  giving.abort(new Error("given up"));
  await assertRejects(() => checked, Error, "given up");
  read.resolve("");
  compiler.close();
});
