import { assert, assertEquals, assertMatch } from "@std/assert";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { ADMIN_PASSWORD } from "#tests/support/access.ts";
import { type ProductProcess, startProcess } from "#tests/support/processes.ts";
import { filler, type RawAnswer, rawCall } from "#tests/support/raw_http.ts";
import { newDataFolder } from "#tests/support/folder.ts";
import { WORST_SETTINGS } from "#tests/support/worst_doors.ts";

const MB = 1024 * 1024;

/** Starts a product like an operator, on its own folder. */
async function start(environment: Record<string, string> = {}) {
  const dataDir = await newDataFolder();
  const product = await startProcess("start", {
    DATA_DIR: dataDir,
    AUTH: "on",
    ADMIN_PASSWORD,
    POLL_SECONDS: "0",
    ...environment,
  });
  return {
    ...product,
    dataDir,
    async [Symbol.asyncDispose]() {
      await product[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function readToken({ url }: { url: string }): Promise<string> {
  const answer = await fetch(`${url}/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "admin", password: ADMIN_PASSWORD }),
  });
  return (await answer.json()).access_token;
}

/** Makes calls over one connection that stays open between them. */
function keptConnection(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return () =>
    new Promise<{ status: number | undefined; isReused: boolean }>((resolve, reject) => {
      const call = request(`${url}/api/healthz`, { agent }, (answer) => {
        answer.resume();
        answer.on("end", () => resolve({ status: answer.statusCode, isReused: call.reusedSocket }));
      });
      call.on("error", reject);
      call.end();
    });
}

/** Returns the memory in MB; `peak` is the maximum since the process began. */
async function getMemory({ child }: Pick<ProductProcess, "child">) {
  const text = await readFile(`/proc/${child.pid}/status`, "utf8");
  const kb = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)?.[1]);
  return { now: kb("VmRSS") / 1024, peak: kb("VmHWM") / 1024 };
}

const getStatuses = (answers: readonly RawAnswer[]) => answers.map((it) => it.status);

Deno.test("bodies are bounded before anybody holds them, and every refusal is answered", async (t) => {
  await using product = await start({ BODY_STALL_SECONDS: "3" });
  const { url } = product;
  const token = await readToken(product);
  const authorization = { authorization: `Bearer ${token}` };
  const before = await getMemory(product);
  const kept = keptConnection(url);
  assertEquals(await kept(), { status: 200, isReused: false });

  await t.step("three bodies of 500 MB on the webhook", async () => {
    const answers = await Promise.all([false, true, true].map((isSized) =>
      rawCall(url, {
        path: "/api/pa/webhook",
        headers: isSized ? { "content-length": String(500 * MB) } : {},
        body: filler(500 * MB),
      })
    ));
    assertEquals(getStatuses(answers), [413, 413, 413]);
    assertMatch(
      answers[0]?.text ?? "",
      /"success":false,"error":"The body has more than 65536 bytes/,
    );
  });
  await t.step(
    "forty connections with chunked JSON over the limit: answered and let go",
    async () => {
      const answers = await Promise.all(
        Array.from(
          { length: 40 },
          () => rawCall(url, { path: "/auth/login", body: filler(11 * MB), unfinished: true }),
        ),
      );
      assertEquals(new Set(getStatuses(answers)), new Set([413]));
    },
  );
  await t.step("an Idempotency-Key does not hold 300 MB", async () => {
    const answers = await Promise.all(["a", "b"].map((key) =>
      rawCall(url, {
        path: "/api/run",
        headers: { ...authorization, "idempotency-key": key },
        body: filler(300 * MB),
      })
    ));
    assertEquals(getStatuses(answers), [413, 413]);
  });
  await t.step(
    "a body nobody declared, and one before a closed door, are not read at all",
    async () => {
      const undeclared = await rawCall(url, {
        path: "/auth/logout",
        headers: { authorization: "Bearer no" },
        body: filler(50 * MB),
      });
      const closed = await rawCall(url, { path: "/api/run", body: filler(50 * MB) });
      assertEquals(getStatuses([undeclared, closed]), [401, 401]);
    },
  );
  await t.step("a body sent byte by byte takes no more memory than its bytes", async () => {
    const answer = await rawCall(url, {
      path: "/api/run",
      headers: authorization,
      body: filler(20_000, 1),
    });
    assertEquals(answer.status, 400);
  });
  const after = await getMemory(product);
  assert(
    after.peak - before.peak < 150,
    `the process grew from ${before.peak} to ${after.peak} MB`,
  );

  await t.step(
    "a connection whose body was refused serves the next call, or is closed",
    async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () =>
          fetch(`${url}/auth/login`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ username: "x", password: "y".repeat(100_000) }),
          })),
      );
      for (const it of answers) await it.body?.cancel();
      assertEquals(new Set(answers.map((it) => it.status)), new Set([413]));
      assertEquals((await fetch(`${url}/api/healthz`)).status, 200);
    },
  );
  await t.step("a wrong method is refused with the allowed ones", async () => {
    const wrong = await rawCall(url, { method: "PATCH", path: "/api/config/template" });
    assertEquals([wrong.status, wrong.header("allow")], [405, "DELETE, GET, POST, PUT"]);
    assertMatch(wrong.text, /"success":false/);
    const framework = await rawCall(url, { method: "DELETE", path: "/auth/login" });
    assertEquals([framework.status, framework.header("allow")], [405, "POST"]);
    assertMatch(framework.text, /"detail":/);
  });
  await t.step("an unknown path answers in the family of its neighbours", async () => {
    const describe = async (path: string) =>
      Object.keys(JSON.parse((await rawCall(url, { method: "GET", path })).text));
    assertEquals(await describe("/admin/nothing"), ["detail"]);
    assertEquals(await describe("/api/auth/nothing"), ["status", "message"]);
    assertEquals(await describe("/api/invoices/1/2/3/4"), ["success", "error"]);
    assertEquals(await describe("/nothing"), ["success", "error"]);
  });
  await t.step("a body that trickles is cut", async () => {
    const dripping = async function* () {
      for (let at = 0; at < 100; at++) {
        yield new TextEncoder().encode(" ");
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    };
    const answers = await Promise.all(
      ["/auth/login", "/auth/refresh", "/api/pa/webhook"].map((path) =>
        rawCall(url, { path, body: dripping() })
      ),
    );
    assertEquals(getStatuses(answers), [408, 408, 408]); // none of them is complete
  });
  const ask = (method: string, path: string, headers: Record<string, string>) =>
    rawCall(url, { method, path, headers }).then((it) => it.status);
  await t.step("a page of another site changes nothing and uses no cookie", async () => {
    const foreign = { "sec-fetch-site": "cross-site" };
    assertEquals(await ask("POST", "/api/live/ticket", { ...authorization, ...foreign }), 403);
    assertEquals(await ask("POST", "/api/live/ticket", authorization), 200);
    const cookie = { ...foreign, cookie: "__Host-refresh=x" };
    assertEquals(await ask("GET", "/api/healthz", cookie), 403);
    assertEquals(await ask("GET", "/api/healthz", foreign), 200);
  });
  await t.step("an unconfigured proxy is reported once", async () => {
    const forwarded = { "x-forwarded-for": "203.0.113.1" };
    assertEquals(await ask("GET", "/api/healthz", forwarded), 200);
    assertEquals(await ask("GET", "/api/healthz", forwarded), 200);
    await product.says(/proxy\.untrusted/);
    assertEquals(product.output().match(/proxy\.untrusted/g)?.length, 1);
  });
  await t.step("the views of the API come whole from here", async () => {
    const read = async (path: string) => await (await fetch(`${url}${path}`)).text();
    for (const page of ["/docs", "/redoc", "/api", "/api/test"]) {
      const sources = [...(await read(page)).matchAll(/(?:src|href|spec-url)="([^"]+)"/g)];
      assert(sources.length > 1, page);
      for (const [, path = ""] of sources) {
        const { status } = await fetch(new URL(path, url), { method: "HEAD" });
        assertEquals([path[0], status], ["/", 200], `${page}: ${path}`);
      }
    }
    const start = await read("/docs/assets/start.js");
    assertMatch(start, /docExpansion: "none", filter: true/);
    new Function(start); // the served content is JavaScript
    assertEquals(/https:\/\/cdn\./.test(await read("/docs/assets/redoc.standalone.js")), false);
    const { paths } = JSON.parse(await read("/openapi.json"));
    assertMatch(paths["/api/run"].post.description, /Permission: `invoices:run`/);
  });
  await t.step("a connection that waited meanwhile still serves", async () => {
    assertEquals(await kept(), { status: 200, isReused: true });
  });
});

Deno.test("without sign-in only this machine's own names and pages are answered", async (t) => {
  await using product = await start({ AUTH: "off" });
  const { url } = product;
  const ask = (headers: Record<string, string>, method = "GET", path = "/api/config/templates") =>
    rawCall(url, { method, path, headers }).then((it) => it.status);
  await t.step("names of other machines that point here are refused", async () => {
    for (
      const host of ["evil.example", "evil.example:8080", "localhost.evil.example", "10.0.0.1"]
    ) {
      assertEquals(await ask({ host }), 403, host);
      assertEquals(await ask({ host }, "GET", "/api/healthz"), 403, host);
    }
    for (const host of ["localhost", "LOCALHOST:1", "127.0.0.1:80", "127.1.2.3", "[::1]:8080"]) {
      assertEquals(await ask({ host }), 200, host);
    }
  });
  await t.step("a page of another site neither reads nor writes", async () => {
    const site = { "sec-fetch-site": "cross-site" };
    const origin = { origin: "https://evil.example" };
    for (const headers of [site, origin, { origin: "null" }, { "sec-fetch-site": "same-site" }]) {
      assertEquals(await ask(headers), 403, JSON.stringify(headers));
      assertEquals(await ask(headers, "POST", "/api/live/ticket"), 403, JSON.stringify(headers));
    }
    const form = { ...origin, "content-type": "application/x-www-form-urlencoded" };
    assertEquals(await ask(form, "POST", "/api/run"), 403);
    assertEquals(await ask({ ...site, "sec-fetch-mode": "navigate" }, "GET", "/docs"), 200);
    assertEquals(await ask({ origin: url }, "POST", "/api/live/ticket"), 200);
  });
  await t.step("the product's own files are readable only by its user", async () => {
    const own = join(product.dataDir, ".passerelle");
    assertEquals((await stat(own)).mode & 0o777, 0o700);
    const open: string[] = [];
    for (const name of await readdir(own, { recursive: true })) {
      if (name.startsWith("db/")) continue; // PGlite sets some modes itself, after the folder was restricted
      if ((await stat(join(own, name))).mode & 0o077) open.push(name);
    }
    assertEquals(open, []);
  });
});

Deno.test("settings full of mistakes are refused with the first 100, and the product answers others meanwhile", async () => {
  await using product = await start();
  const authorization = `Bearer ${await readToken(product)}`;
  const save = (method: string, path: string, [body, type]: [string, string]) =>
    fetch(`${product.url}/admin/config/menus/${path}`, {
      method,
      body,
      headers: { authorization, "content-type": type },
    });
  const attacks = [
    () => save("PUT", "parsed", [WORST_SETTINGS.unknownKeys(), "application/json"]),
    () => save("POST", "raw", [WORST_SETTINGS.mistakes(), "text/yaml"]),
  ];
  for (const attack of attacks) {
    let isOver = false;
    const answering = attack().finally(() => isOver = true);
    let healthy = 0;
    while (!isOver) {
      const health = await fetch(`${product.url}/api/healthz`);
      await health.body?.cancel();
      if (health.ok) healthy++;
    }
    const answer = await answering;
    const { errors } = await answer.json() as { errors: { message: string }[] };
    assertEquals([answer.status, errors.length], [422, 101]);
    assertMatch(errors[100]?.message ?? "", /^(At least|Au moins) \d+ /);
    assert(healthy > 20, `${healthy} answers`);
  }
  const { peak } = await getMemory(product);
  assert(peak < 700, `${Math.round(peak)} MB`);
});
