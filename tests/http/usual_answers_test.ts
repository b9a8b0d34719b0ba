import { assert, assertEquals, assertMatch } from "@std/assert";
import { get } from "node:http";
import { gunzipSync, inflateSync } from "node:zlib";
import { rm } from "node:fs/promises";
import { newDataFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { until } from "#tests/support/until.ts";

const PAGE = "https://erp.example";

/** Returns an answer without decompressing it. */
function raw(
  url: string,
  headers: Record<string, string>,
): Promise<
  { status: number; headers: Record<string, string | string[] | undefined>; bytes: Uint8Array }
> {
  return new Promise((resolve, reject) => {
    get(url, { headers }, (answer) => {
      const chunks: Uint8Array[] = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.once("end", () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          bytes: new Uint8Array(chunks.flatMap((it) => [...it])),
        }));
    }).once("error", reject);
  });
}

Deno.test("a process answers as clients of HTTP expect: compression, tags, request ids, CORS, a log of JSON lines", async (t) => {
  const dataDir = await newDataFolder();
  await using product = await startProcess("start", {
    DATA_DIR: dataDir,
    CORS_ORIGINS: PAGE,
    LANG: "en_GB.UTF-8",
  });
  const at = (path: string, headers: Record<string, string> = {}) =>
    raw(product.url + path, headers);
  const jsonOf = (bytes: Uint8Array) => JSON.parse(new TextDecoder().decode(bytes));

  await t.step(
    "JSON above a small size is packed for who takes it, and the same unpacked",
    async () => {
      const plain = await at("/openapi.json");
      assertEquals(plain.headers["content-encoding"], undefined);
      for (const [name, unpack] of [["gzip", gunzipSync], ["deflate", inflateSync]] as const) {
        const packed = await at("/openapi.json", { "accept-encoding": name });
        assertEquals(packed.headers["content-encoding"], name);
        assertMatch(String(packed.headers["vary"]), /Accept-Encoding/);
        assert(packed.bytes.length * 4 < plain.bytes.length, `${packed.bytes.length} bytes`);
        assertEquals(jsonOf(unpack(packed.bytes)), jsonOf(plain.bytes));
      }
      const refused = await at("/openapi.json", { "accept-encoding": "gzip;q=0" });
      assertEquals(refused.headers["content-encoding"], undefined);
      const small = await at("/api/healthz", { "accept-encoding": "gzip" });
      assertEquals([small.headers["content-encoding"], jsonOf(small.bytes).ok], [undefined, true]);
    },
  );

  await t.step("a client that has this document reads 304", async () => {
    const { headers: { etag } } = await at("/openapi.json");
    const again = await at("/openapi.json", { "if-none-match": String(etag) });
    assertEquals([again.status, again.bytes.length, again.headers["etag"]], [304, 0, etag]);
  });

  await t.step("an event stream is not packed", async () => {
    const leave = new AbortController();
    const stream = await fetch(`${product.url}/api/live`, {
      headers: { "accept-encoding": "gzip" },
      signal: leave.signal,
    });
    assertEquals(stream.headers.get("content-encoding"), null);
    leave.abort();
    await stream.body?.cancel().catch(() => {});
  });

  await t.step("an X-Request-Id stays; a too long or odd one is replaced", async () => {
    for (const id of ["7", "Root=1-67891233-abcdef012345678912345678", "a".repeat(128)]) {
      const { headers } = await at("/api/healthz", { "x-request-id": id });
      assertEquals(headers["x-request-id"], id);
    }
    for (const id of ["a".repeat(129), 'x" y', "a{b}"]) {
      const { headers } = await at("/api/healthz", { "x-request-id": id });
      assertMatch(String(headers["x-request-id"]), /^[0-9a-f-]{36}$/);
    }
  });

  await t.step(
    "pages of a listed origin call with a token; no other page, and no cookie",
    async () => {
      const preflight = await fetch(`${product.url}/api/run`, {
        method: "OPTIONS",
        headers: { origin: PAGE, "access-control-request-method": "POST" },
      });
      assertEquals(preflight.headers.get("access-control-allow-origin"), PAGE);
      assertEquals(preflight.headers.get("access-control-allow-credentials"), null);
      await preflight.body?.cancel();
      const call = async (headers: Record<string, string>) => {
        const answer = await at("/api/invoices", { "sec-fetch-site": "cross-site", ...headers });
        return [answer.status, answer.headers["access-control-allow-origin"]];
      };
      assertEquals(await call({ origin: PAGE }), [200, PAGE]);
      assertEquals(await call({ origin: "https://erp.example.evil" }), [403, undefined]);
      assertEquals((await call({ origin: PAGE, cookie: "a=b" }))[0], 403);
    },
  );

  await t.step(
    "each call leaves one line without values, and every line is a JSON object",
    async () => {
      await at("/api/invoices?search=secret-word", { "x-request-id": "the-logged-call" });
      await until(() => product.output().includes("the-logged-call"), "the line");
      const lines = product.output().trim().split("\n").map((it) => JSON.parse(it));
      const [line, ...more] = lines.filter((it) => it.requestId === "the-logged-call");
      assertEquals(more, []);
      assertEquals([line.event, line.level, line.method, line.route, line.status], [
        "http.request",
        "INFO",
        "GET",
        "/api/invoices",
        200,
      ]);
      assertEquals(typeof line.ms, "number");
      assert(!product.output().includes("secret-word"));
      assert(lines.some((it) => /listens on http/.test(it.says ?? "")));
      assert(lines.filter((it) => it.event !== "http.request").length < 20, "a short start");
    },
  );
  await product.stop();
  await rm(dataDir, { recursive: true, force: true });
});
