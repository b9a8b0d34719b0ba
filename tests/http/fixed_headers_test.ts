import { assertEquals } from "@std/assert";
import { Hono } from "hono";
import { serve } from "#src/adapters/http_server/server.ts";
import type { HttpEnv } from "#src/http/env.ts";
import { FIXED, fixedHeaders } from "#src/http/fixed_headers.ts";
import { startProcess } from "#tests/support/processes.ts";

const app = new Hono<HttpEnv>().use(fixedHeaders)
  .get("/data", (c) => c.json({ own: true }))
  .get("/kept", (c) => c.text("kept", 200, { "Cache-Control": "max-age=60" }))
  .get("/page", (c) => {
    c.set("policy", "default-src 'self'");
    return c.html("<p>a page</p>");
  })
  .get("/failing", () => {
    throw new Error("no");
  })
  .onError((_, c) => c.text("failed", 500));

const CHANGING = ["connection", "content-length", "date", "keep-alive", "transfer-encoding"];

async function headersAt(
  fetched: Response | Promise<Response>,
): Promise<Record<string, string>> {
  const response = await fetched;
  await response.body?.cancel();
  return Object.fromEntries([...response.headers].filter(([name]) => !CHANGING.includes(name)));
}

Deno.test("fixed headers: the same where a server writes them and where a function answers", async () => {
  const server = await serve(app.fetch, { port: 0, host: "127.0.0.1" });
  try {
    for (const path of ["/data", "/kept", "/page", "/failing", "/nowhere"]) {
      const served = await headersAt(fetch(`${server.url}${path}`));
      assertEquals(served, await headersAt(app.request(path)), path);
      assertEquals(served["x-frame-options"], "DENY", path);
      assertEquals(served["x-content-type-options"], "nosniff", path);
      assertEquals(served["cache-control"], path === "/kept" ? "max-age=60" : "no-store", path);
      const isOwn = served["content-security-policy"] === "default-src 'self'";
      assertEquals(isOwn, path === "/page", path);
    }
  } finally {
    await server.close(0);
  }
});

Deno.test("fixed headers: metrics and the live channel of Socket.IO have them too", async () => {
  await using product = await startProcess("start", { AUTH: "off", SANDBOX_PA: "off" });
  for (const path of ["/metrics", "/socket.io/?EIO=4&transport=polling", "/socket.io/?EIO=9"]) {
    const headers = await headersAt(fetch(`${product.url}${path}`));
    for (const [name, value] of FIXED) {
      if (path === "/metrics" || name !== "Cache-Control") {
        assertEquals(headers[name.toLowerCase()], value, `${path} ${name}`);
      }
    }
  }
});
