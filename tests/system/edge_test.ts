import { assert, assertEquals, assertMatch } from "@std/assert";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deps, postgresUrl, redisUrl } from "#tests/support/db.ts";
import { readFile } from "node:fs/promises";
import { GOLDEN } from "#tests/support/product.ts";
import { writeText } from "#tests/support/folder.ts";
import { erpBurst, getNumbers } from "#tests/support/erp.ts";
import { startFleet } from "#tests/support/fleet.ts";
import { launchProcess } from "#tests/support/processes.ts";
import { takenNumbers } from "#tests/support/sandbox.ts";
import { until } from "#tests/support/until.ts";
import { longTest } from "#tests/support/long.ts";

const servers = deps("PostgreSQL", postgresUrl).ignore
  ? deps("PostgreSQL", postgresUrl)
  : deps("Redis", redisUrl);

longTest({
  name:
    "HTTP without disk, child processes and port of its own: a run that begins there is split and judged by a worker elsewhere",
  ...servers,
  async fn(t) {
    const dataDir = join(tmpdir(), `passerelle-edge-${crypto.randomUUID()}`);
    await using fleet = await startFleet({ workers: 1 });
    const edge = await fleet.startEdge({ DATA_DIR: dataDir });
    const call = async (path: string, init: RequestInit = {}) => {
      const answer = await fetch(`${edge.url}${path}`, {
        ...init,
        headers: { "accept-language": "en", ...init.headers as Record<string, string> },
      });
      return { status: answer.status, text: await answer.text() };
    };
    const json = (body: unknown): RequestInit => ({
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });

    await t.step("a burst is uploaded, run and sent", async () => {
      const upload = await call("/api/upload?template=R42565&filename=burst.xml", {
        method: "POST",
        headers: { "content-type": "application/octet-stream" },
        body: await erpBurst(4, 740_000),
      });
      const { file } = JSON.parse(upload.text);
      const run = await call("/api/run", json({ template: "R42565", file, mode: "BURST" }));
      assertEquals([run.status, JSON.parse(run.text).success], [200, true], run.text.slice(0, 500));
      await fleet.quiet();
      assertEquals(takenNumbers(await fleet.sandbox.truth()), getNumbers(4, 740_000));
    });

    await t.step(
      "what is small is judged here, what needs a process is refused with who may",
      async () => {
        const ubl = join(GOLDEN, "ubl/100000-RI-00001.xml");
        await writeText(fleet.files, "in/one.xml", await readFile(ubl, "utf8"));
        const judged = await call("/api/validate", {
          ...json({ file: "in/one.xml", sourceType: "ubl" }),
          headers: { "content-type": "application/json", accept: "application/xml" },
        });
        assertEquals(judged.status, 200, judged.text.slice(0, 300));
        assertMatch(judged.text, /schematron-output/);
        const id = "740000-RI-00001";
        const pdf = await call(`/api/invoices/${id}/pdf`);
        assertEquals(pdf.status, 503, pdf.text.slice(0, 300));
        assertMatch(pdf.text, /may start no others; workers may/);
        const schema = await call("/api/setup/current");
        assertEquals(schema.status, 503, schema.text.slice(0, 300));
        assertMatch(schema.text, /it may write none; HTTP processes on machines of your own may/);
      },
    );

    await t.step("a platform's port makes no caller count as local", async () => {
      const guarded = await fleet.startEdge({ DATA_DIR: dataDir, AUTH: "on" });
      const answer = await fetch(`${guarded.url}/metrics`);
      await answer.body?.cancel();
      assertEquals(answer.status, 401);
    });

    await t.step("live events come through it", async () => {
      const leave = new AbortController();
      const answer = await fetch(`${edge.url}/api/live`, { signal: leave.signal });
      assertEquals(answer.status, 200);
      leave.abort();
      await answer.body?.cancel().catch(() => {});
    });

    await t.step("it ends by SIGTERM, with an event stream open", async () => {
      const stream = await fetch(`${edge.url}/api/live`);
      const begun = performance.now();
      await edge.stop();
      assertEquals(edge.child.exitCode, 0);
      assert(performance.now() - begun < 10_000);
      await stream.body?.cancel().catch(() => {});
    });

    await t.step("nothing was written, and no permission was requested", () => {
      assert(!existsSync(dataDir));
      assert(!/NotCapable|EACCES|not permitted/.test(edge.output()), edge.output());
    });
  },
});

longTest({
  name: "HTTP without a disk says why it cannot start",
  ...servers,
  async fn() {
    await using edge = await launchProcess("edge", {
      DATABASE_URL: postgresUrl ?? "",
      FILES: "folder",
      CONFIG_DIR: "/etc",
      LANG: "en_GB.UTF-8",
    });
    await until(() => edge.hasEnded(), "it to end");
    assertMatch(edge.output(), /REDIS_URL/);
    assertMatch(edge.output(), /FILES=folder needs a disk/);
    assertMatch(edge.output(), /CONFIG_DIR needs a disk/);
  },
});
