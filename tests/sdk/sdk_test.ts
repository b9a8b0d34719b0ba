import { assert, assertEquals, assertMatch } from "@std/assert";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateSdk } from "#src/sdk/generate.ts";
import type { Session, SessionOptions } from "#src/sdk/session.ts";
import { erpBurst } from "#tests/support/erp.ts";
import { longTest } from "#tests/support/long.ts";
import { startProcess } from "#tests/support/processes.ts";
import { until } from "#tests/support/until.ts";
import { newDataFolder } from "#tests/support/folder.ts";

const PASSWORD = "a password for the client of the tests";

/** Parts of the generated package that the test uses. */
interface Sdk {
  connect(options: SessionOptions): Session & {
    readonly api: Readonly<Record<string, (options: object) => Promise<Answer>>>;
  };
}

interface Answer {
  readonly data?: Json;
  readonly error?: Json;
  readonly response: Response;
}
// deno-lint-ignore no-explicit-any -- the answers are typed in the package, which is made while the test runs
type Json = any;

async function generate(parts: AsyncDisposableStack): Promise<Sdk> {
  const out = await mkdtemp(join(tmpdir(), "passerelle-sdk-"));
  parts.defer(() => rm(out, { recursive: true, force: true }));
  const from = new URL("../openapi.json", import.meta.url).pathname;
  await generateSdk({ out, from, name: "passerelle-client" });
  // The package is not installed here: its one dependency is the copy of this project.
  const parser = createRequire(import.meta.url).resolve("eventsource-parser/stream");
  const session = join(out, "dist", "session.js");
  const text = await readFile(session, "utf8");
  await writeFile(session, text.replace('"eventsource-parser/stream"', JSON.stringify(parser)));
  return await import(join(out, "dist", "index.js"));
}

type Fault = "unauthorized" | "busy" | "drop-after";

/** Starts a proxy in front of the product: the next call of a path meets a fault. */
async function startWay(parts: AsyncDisposableStack, target: string) {
  const faults = new Map<string, Fault>();
  const seen: { call: string; key: string | undefined }[] = [];
  const server = createServer((incoming, answer) => {
    const { method, url = "", headers } = incoming;
    const path = url.split("?")[0] ?? "";
    seen.push({ call: `${method} ${path}`, key: headers["idempotency-key"]?.toString() });
    const fault = faults.get(path);
    faults.delete(path);
    if (fault === "unauthorized") return void answer.writeHead(401).end("{}");
    if (fault === "busy") return void answer.writeHead(503, { "retry-after": "0" }).end();
    const onward = request(`${target}${url}`, { method, headers }, (got) => {
      if (fault === "drop-after") {
        got.resume();
        return void got.on("end", () => answer.destroy());
      }
      answer.writeHead(got.statusCode ?? 500, got.headers);
      got.pipe(answer);
    });
    onward.on("error", () => answer.destroy());
    answer.on("close", () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  parts.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, faults, seen };
}

longTest(
  "the generated client does the main job: from an upload to status 10, over a way that fails",
  async (t) => {
    await using parts = new AsyncDisposableStack();
    const dataDir = await newDataFolder();
    parts.defer(() => rm(dataDir, { recursive: true, force: true }));
    const [sdk, product] = await Promise.all([
      generate(parts),
      startProcess("start", {
        DATA_DIR: dataDir,
        AUTH: "on",
        ADMIN_PASSWORD: PASSWORD,
        POLL_SECONDS: "1",
      }).then((it) => parts.use(it)),
    ]);
    const way = await startWay(parts, product.url);
    const { api, ...session } = sdk.connect({
      url: way.url,
      username: "admin",
      password: PASSWORD,
      language: "en",
    });
    const ask = async (operation: string, options: object) => await api[operation]?.(options);
    const must = async (operation: string, options: object): Promise<Json> => {
      const { data, error, response } = await ask(operation, options) ?? {};
      assert(
        data !== undefined,
        `${operation}: ${response?.status} ${
          error instanceof Error ? error.stack : JSON.stringify(error)
        }`,
      );
      return data;
    };

    const following = new AbortController();
    parts.defer(() => following.abort());
    const heard: { id: string; type: string }[] = [];
    const listening = (async () => {
      const { signal } = following;
      for await (const event of session.events({ topics: ["invoices", "runs"], signal })) {
        heard.push(event);
      }
    })();

    await t.step("the session is opened once, and renewed when a token is not taken", async () => {
      way.faults.set("/api/invoices", "unauthorized");
      assertEquals((await must("listInvoices", {})).total, 0);
      const sessions = way.seen.map((it) => it.call).filter((it) => it.startsWith("POST /auth/"));
      assertEquals(sessions, ["POST /auth/login", "POST /auth/refresh"]);
    });

    await t.step("a run whose answer was lost starts once", async () => {
      const file = await must("uploadFile", {
        query: { template: "R42565", filename: "burst.xml" },
        body: new Blob([await erpBurst(3, 900_000)]),
      });
      way.faults.set("/api/run", "drop-after");
      const run = await must("startRun", {
        body: { template: "R42565", file: file.file, mode: "BURST" },
        headers: { prefer: "respond-async" },
      });
      const keys = way.seen.filter((it) => it.call === "POST /api/run").map((it) => it.key);
      assertEquals([keys.length, new Set(keys).size], [2, 1]);
      assertEquals((await must("listRuns", {})).total, 1);
      await until(
        async () => (await must("getRun", { path: { runId: run.runId } })).state === "finished",
        "the run to end",
      );
    });

    await t.step(
      "a product that is busy is asked again, until the PA holds all invoices",
      async () => {
        way.faults.set("/api/invoices", "busy");
        await until(
          async () => (await must("listInvoices", { query: { status: "10" } })).total === 3,
          "status 10 of all",
        );
      },
    );

    await t.step("an error is the API's own, in the caller's language", async () => {
      const { error, response } = await ask("getInvoice", { path: { id: "1-RI-00001" } }) ?? {};
      assertEquals(response?.status, 404);
      assertMatch(error.error, /^Invoice 1-RI-00001 does not exist/);
    });

    await t.step("events are received, and continue after any of them", async () => {
      await until(() => heard.some((it) => it.type === "invoice.status"), "an event of an invoice");
      const [first, second] = heard.filter((it) => it.id !== "");
      const told: string[] = [];
      for await (const { id } of session.events({ after: first?.id ?? "" })) {
        if (id !== "") told.push(id);
        if (told.length) break;
      }
      assertEquals(told, [second?.id]);
    });

    following.abort();
    await listening;
    await session.signOut();
    assert(way.seen.some((it) => it.call === "POST /auth/logout"));
  },
);
