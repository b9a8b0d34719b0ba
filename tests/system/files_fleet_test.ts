import { assertEquals, assertMatch } from "@std/assert";
import { deps, postgresUrl, redisUrl } from "#tests/support/db.ts";
import { erpBurst, getNumbers } from "#tests/support/erp.ts";
import { startFleet } from "#tests/support/fleet.ts";
import { writeText } from "#tests/support/folder.ts";
import { takenNumbers } from "#tests/support/sandbox.ts";
import { until } from "#tests/support/until.ts";
import { longTest } from "#tests/support/long.ts";

const servers = deps("PostgreSQL", postgresUrl).ignore
  ? deps("PostgreSQL", postgresUrl)
  : deps("Redis", redisUrl);

async function call(url: string, path: string, method = "GET", body?: unknown) {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { "content-type": "application/json", "x-service-lang": "en" },
    ...body !== undefined && { body: JSON.stringify(body) },
  });
  return await answer.json();
}

longTest({
  name:
    "machines that share PostgreSQL and Redis and no folder: uploaded to one, split and judged by others, read from any",
  ...servers,
  async fn(t) {
    await using fleet = await startFleet({ web: 2, workers: 2 });
    const [one, other] = fleet.web.map((it) => it.url);
    if (!one || !other) throw new Error("The fleet has two HTTP processes");

    await t.step("a custom stylesheet, with its includes, works on every machine", async () => {
      const { success } = await call(one, "/api/xsl/install", "POST", { targetDir: "own" });
      assertEquals(success, true);
      const properties = {
        transform: "own/R42565.xsl",
        inputDir: "in",
        outputDir: "out",
        sourceType: "xml",
      };
      const saved = await call(other, "/api/templates", "POST", {
        name: "OWN",
        type: "document",
        properties,
      });
      assertEquals(saved.success, true, JSON.stringify(saved));
    });

    await t.step("a burst uploaded to one is run by another and sent", async () => {
      const upload = await fetch(`${one}/api/upload?template=OWN&filename=burst.xml`, {
        method: "POST",
        headers: { "content-type": "application/octet-stream" },
        body: await erpBurst(6, 600_000),
      });
      const { file } = await upload.json();
      assertMatch(file, /^\/files\/in\//);
      const run = await call(other, "/api/run", "POST", { template: "OWN", file, mode: "BOTH" });
      assertEquals([run.success, run.error], [true, undefined], JSON.stringify(run).slice(0, 2000));
      await fleet.quiet();
      assertEquals(takenNumbers(await fleet.sandbox.truth()), getNumbers(6, 600_000));
    });

    await t.step("a worker's files are listed and read through any machine", async () => {
      const { items } = await call(one, "/api/fs/browse?path=out");
      assertEquals(items.length, 12);
      const { content } = await call(other, "/api/fs/read?path=out/600000-RI-00001.xml");
      assertMatch(content, /<cbc:ID>RI-600000</);
    });

    await t.step("an edited stylesheet is used by all, at once, if it compiles", async () => {
      const { content } = await call(one, "/api/fs/read?path=own/R42565.xsl");
      const broken = content.replace("</xsl:stylesheet>", "<xsl:unheard-of/>$&");
      const path = "own/R42565.xsl";
      const kept = await call(one, "/api/fs/write", "PUT", { path, content: broken });
      assertMatch(kept.doesNotCompile.message, /own\/R42565\.xsl/);
      const stops = content.replace(
        '<xsl:template match="/">',
        '$&<xsl:message terminate="yes">edited</xsl:message>',
      );
      await call(one, "/api/fs/write", "PUT", { path, content: stops });
      await writeText(fleet.files, "in/one.xml", await erpBurst(1, 650_000));
      const run = await call(other, "/api/run", "POST", { template: "OWN", file: "in/one.xml" });
      assertEquals(run.success, false);
      assertMatch(JSON.stringify(run), /edited/);
    });
  },
});

longTest({
  name: "a run continues with the original file if it is replaced meanwhile",
  ...servers,
  async fn() {
    await using fleet = await startFleet({ web: 1, workers: 0 });
    const [web] = fleet.web;
    if (!web) throw new Error("The fleet has an HTTP process");
    await writeText(fleet.files, "in/burst.xml", await erpBurst(4, 610_000));
    const body = JSON.stringify({ template: "R42565", file: "in/burst.xml", mode: "BURST" });
    const headers = { "content-type": "application/json", prefer: "respond-async" };
    const answer = await fetch(`${web.url}/api/run`, { method: "POST", headers, body });
    const { runId } = await answer.json();
    await writeText(fleet.files, "in/burst.xml", "<another/>");
    await fleet.startWorker();
    await until(
      async () => (await call(web.url, `/api/runs/${runId}`)).state === "finished",
      "the run to end",
    );
    await fleet.quiet();
    assertEquals(takenNumbers(await fleet.sandbox.truth()), getNumbers(4, 610_000));
    assertEquals((await call(web.url, "/api/fs/read?path=in/burst.xml")).content, "<another/>");
  },
});
