import { assertEquals, assertMatch } from "@std/assert";
import { readdir, readFile } from "node:fs/promises";
import process from "node:process";
import { longTest } from "#tests/support/long.ts";
import { startProduct } from "#tests/support/product.ts";

const sheet = (body: string) =>
  `<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">${body}</xsl:stylesheet>`;
/** The compiler itself evaluates static expressions. */
const endless = (nth: number) =>
  sheet(
    `<xsl:variable name="v" static="yes" select="count((1 to 100000000000)[. mod 3 = 7 + ${nth}])"/>
<xsl:template match="/"/>`,
  );

/** Counts the compilers of this file's stylesheets: the test files of a run share one process. */
async function compilers(): Promise<number> {
  const pids = (await readdir("/proc")).filter((it) => /^\d+$/.test(it));
  const own = await Promise.all(pids.map(async (pid) => {
    const [words, status] = await Promise.all(
      ["cmdline", "status"].map((it) => readFile(`/proc/${pid}/${it}`, "utf8").catch(() => "")),
    );
    return words?.includes("compile_child") && /hostile-\d+\.xsl/.test(words) &&
      status?.includes(`PPid:\t${process.pid}\n`);
  }));
  return own.filter(Boolean).length;
}

async function startWithSheets(count: number) {
  const product = await startProduct();
  const { body: template } = await product.get("/api/templates/R42565");
  const write = (path: string, content: string) =>
    product.send("PUT", "/api/fs/write", { path, content });
  for (let nth = 0; nth < count; nth++) {
    await write(`own/hostile-${nth}.xsl`, sheet('<xsl:template match="/"/>'));
    await product.post(`/api/templates/R42565/copy/MINE${nth}`);
    const { body } = await product.get(`/api/templates/MINE${nth}`);
    const properties = {
      ...template.properties,
      ...body.properties,
      transform: `own/hostile-${nth}.xsl`,
    };
    const sent = { ...body, properties };
    assertEquals((await product.send("PUT", `/api/templates/MINE${nth}`, sent)).status, 200);
  }
  return { product, write };
}

longTest({
  name:
    "stylesheets that never end to compile, saved at once: one compiles at a time, none is in use, and nothing is left",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    const { product, write } = await startWithSheets(6);
    await using _ = product;
    let most = 0;
    const saves = Array.from(
      { length: 6 },
      (_, nth) => write(`own/hostile-${nth}.xsl`, endless(nth)),
    );
    let isOver = false;
    const all = Promise.all(saves).finally(() => isOver = true);
    while (!isOver) {
      most = Math.max(most, await compilers());
      await new Promise((done) => setTimeout(done, 50));
    }
    for (const { status, body } of await all) {
      assertEquals([status, typeof body.revision], [200, "number"]);
      assertMatch(
        body.doesNotCompile.message,
        /did not compile within 120 s|more than 60 s|being compiled already/,
      );
    }
    assertEquals(most, 1);
    assertEquals(await compilers(), 0);
  },
});

Deno.test("a million lookalikes of imports block nobody", async () => {
  const { product, write } = await startWithSheets(1);
  await using _ = product;
  const many = sheet(`<!--${"<xsl:import ".repeat(700_000)}--><xsl:template match="/"/>`);
  assertEquals((await write("own/hostile-0.xsl", many)).body, { success: true, revision: 2 });
});
