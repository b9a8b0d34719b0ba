import { assertEquals, assertMatch } from "@std/assert";
import { createHash, createHmac } from "node:crypto";
import { createServer } from "node:http";
import { eq } from "drizzle-orm";
import { paWebhooks } from "#drizzle/schema/mod.ts";
import { aesVault } from "#src/adapters/crypto/vault.ts";
import { issue, readCodes, stage } from "../support.ts";
import { until } from "#tests/support/until.ts";

Deno.test("only the PA's signed call makes a poll due, and not the same call again", async (t) => {
  await using world = await stage();
  const { product } = world;
  await using door = await doorTo(product.request);
  await t.step("registered through the API, the key is never shown", async () => {
    const registered = await product.post("/api/pa/webhooks", {
      callbackUrl: `${door.url}/api/pa/webhook`,
    });
    assertEquals(registered.status, 200);
    const { body } = await product.get("/api/pa/webhooks");
    assertEquals(body.webhooks.map((it: { webhookId: string }) => it.webhookId), [
      registered.body.webhookId,
    ]);
    assertEquals(Object.keys(body.webhooks[0]).toSorted(), [
      "callbackUrl",
      "createdAt",
      "lastCallAt",
      "ofOtherPa",
      "webhookId",
    ]);
    const stored = await product.deps.db.query.paWebhooks.findFirst();
    assertMatch(stored?.signingKey ?? "", /^ENC:/);
  });
  await t.step("an invoice becomes deposited without anybody asking", async () => {
    const [id = ""] = await issue(world, 1, 700_000);
    await until(
      async () => (await readCodes(world, id)).includes("10"),
      "the webhook to have it read",
    );
    assertEquals(
      (await product.get("/api/pa/webhooks")).body.webhooks[0].lastCallAt === null,
      false,
    );
  });
  await t.step("calls that are not the PA's are refused", async () => {
    const key = Buffer.from("another key of thirty-two bytes.").toString("base64");
    const now = Math.floor(Date.now() / 1000);
    for (const headers of [{}, sign("{}", now, key), { "afnor-signature": "x".repeat(500) }]) {
      const answer = await product.request("/api/pa/webhook", {
        method: "POST",
        body: "{}",
        headers: { "content-type": "application/json", ...headers },
      });
      assertEquals([answer.status < 500, answer.ok], [true, false]);
      await answer.body?.cancel();
    }
  });
  await t.step("a genuine call counts once, and not when it is old", async () => {
    const { vault, db, clock } = product.deps;
    const stored = await db.query.paWebhooks.findFirst();
    const key = vault.open(stored?.signingKey ?? "", `webhook ${stored?.webhookId}`);
    const now = Math.floor(clock.now().getTime() / 1000);
    const body = `{"flowId":"f-1"}`;
    const call = async (at: number, spelt = (signature: string) => signature) => {
      const { "afnor-signature": signature, ...rest } = sign(body, at, key);
      const headers = {
        "content-type": "application/json",
        "afnor-signature": spelt(signature),
        ...rest,
      };
      const answer = await product.request("/api/pa/webhook", { method: "POST", body, headers });
      await answer.body?.cancel();
      return answer.status;
    };
    assertEquals([await call(now), await call(now), await call(now - 3_600)], [200, 200, 401]);
    const bare = (signature: string) => signature.replace(/=+$/, "");
    const other = (signature: string) => signature.replaceAll("+", "-").replaceAll("/", "_");
    assertEquals([await call(now, bare), await call(now, other)], [200, 200], "as before, respelt");
    const calls = await db.query.paWebhookCalls.findMany();
    const same = bare(other(sign(body, now, key)["afnor-signature"]));
    assertEquals(calls.filter((it) => bare(other(it.signature)) === same).length, 1);
  });
  await t.step("nor where another PA is configured, which gave another key", async () => {
    const { vault, db, clock } = product.deps;
    const stored = await db.query.paWebhooks.findFirst();
    const key = vault.open(stored?.signingKey ?? "", `webhook ${stored?.webhookId}`);
    const configure = async (URL: string) => {
      const template = { name: "e-invoicing", type: "system", properties: { URL, token: "t" } };
      assertEquals((await product.send("PUT", "/api/templates/e-invoicing", template)).status, 200);
    };
    const call = async () => {
      const now = Math.floor(clock.now().getTime() / 1000);
      const answer = await product.request("/api/pa/webhook", {
        method: "POST",
        body: "{}",
        headers: { "content-type": "application/json", ...sign("{}", now, key) },
      });
      await answer.body?.cancel();
      return answer.status;
    };
    const isOfOther = async () =>
      (await product.get("/api/pa/webhooks")).body.webhooks.map((it: { ofOtherPa: boolean }) =>
        it.ofOtherPa
      );
    await configure("https://another.example");
    assertEquals([await call(), await isOfOther()], [401, [true]]);
    await configure("sandbox:");
    assertEquals([await call(), await isOfOther()], [200, [false]]);
  });
  await t.step("a key that the vault cannot open refuses its own calls alone", async () => {
    const { vault, db, clock } = product.deps;
    const stored = await db.query.paWebhooks.findFirst();
    const key = vault.open(stored?.signingKey ?? "", `webhook ${stored?.webhookId}`);
    const lost = Buffer.from("a key of thirty-two other bytes.").toString("base64");
    const sealed = aesVault("the master key before it was changed").seal(lost, "webhook lost");
    await db.insert(paWebhooks).values({
      webhookId: "lost",
      callbackUrl: "https://erp.test/api/pa/webhook",
      signingKey: sealed,
      paOrigin: stored?.paOrigin ?? null,
      createdAt: new Date(0), // listed before the other
    });
    const call = async (body: string, signingKey: string) => {
      const now = Math.floor(clock.now().getTime() / 1000);
      const answer = await product.request("/api/pa/webhook", {
        method: "POST",
        body,
        headers: { "content-type": "application/json", ...sign(body, now, signingKey) },
      });
      await answer.body?.cancel();
      return answer.status;
    };
    assertEquals([await call(`{"of":"the lost"}`, lost), await call(`{"of":"the other"}`, key)], [
      401,
      200,
    ]);
    const log = async () =>
      JSON.stringify((await product.get("/api/logs?event=webhook.key.unreadable")).body.items);
    await until(
      async () => /ERROR.*webhook lost cannot be opened: SECRET_KEY/.test(await log()),
      "the log to name the key",
    );
    await db.delete(paWebhooks).where(eq(paWebhooks.webhookId, "lost"));
  });
  await t.step("taken back", async () => {
    const { body } = await product.get("/api/pa/webhooks");
    const path = `/api/pa/webhooks/${body.webhooks[0].webhookId}`;
    assertEquals((await product.send("DELETE", path)).status, 200);
    assertEquals((await product.send("DELETE", path)).status, 404);
  });
  await t.step("one the PA has forgotten is taken back all the same", async () => {
    const registered = await product.post("/api/pa/webhooks", {
      callbackUrl: `${door.url}/api/pa/webhook`,
    });
    const path = `/api/pa/webhooks/${registered.body.webhookId}`;
    await world.sandbox.fault({ kind: "500-before", operation: "webhooks", times: 1 });
    assertEquals((await product.send("DELETE", path)).status, 502);
    assertEquals((await product.get("/api/pa/webhooks")).body.webhooks.length, 1);
    await fetch(`${product.sandbox.url}/sandbox/reset`, { method: "POST" });
    assertEquals((await product.send("DELETE", path)).status, 200);
    assertEquals((await product.get("/api/pa/webhooks")).body.webhooks, []);
  });
});

function sign(body: string, at: number, key: string) {
  const fingerprint = createHash("sha256").update(`${body}@${at}`).digest();
  const signature = createHmac("sha256", Buffer.from(key, "base64")).update(fingerprint).digest(
    "base64",
  );
  return { "afnor-signature": signature, "afnor-signature-timestamp": String(at) };
}

/** Opens a real port in front of the product, which the PA calls. */
async function doorTo(request: (path: string, init?: RequestInit) => Promise<Response>) {
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const headers = Object.entries(incoming.headers).map(([name, value]) =>
      [name, String(value)] as [string, string]
    );
    const answer = await request(incoming.url ?? "/", {
      method: incoming.method ?? "POST",
      headers,
      body: Buffer.concat(chunks),
    });
    outgoing.writeHead(answer.status).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
