import { assertEquals } from "@std/assert";
import { notificationDeliveries } from "#drizzle/schema/mod.ts";
import { findDay } from "#src/platform/exports/mod.ts";
import { administrate, startGuarded } from "#tests/support/guarded.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProduct, type TestProduct } from "#tests/support/product.ts";

/** Mail server at an address where nothing listens. */
const MAIL = { smtpHost: "127.0.0.1", smtpPort: "1", smtpFrom: "facturation@example.fr" };
const TEST = "/api/connections/mail/test";

const setUpMail = (product: TestProduct, properties: Readonly<Record<string, string>>) =>
  product.request("/api/templates/global", {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "global", type: "system", properties }),
  });

const readWaiting = async (product: TestProduct) => (await product.get("/api/home")).body.waiting;

Deno.test("Home lists the connections that fail, while their settings are the same", async () => {
  await using product = await startProduct();
  await product.post(TEST, { properties: MAIL });
  assertEquals(await readWaiting(product), [], "typed values are not recorded");

  await setUpMail(product, MAIL);
  assertEquals(await readWaiting(product), [], "nobody tested or used it");
  assertEquals((await product.post(TEST, {})).body.works, false);
  const { body } = await product.get("/api/home");
  assertEquals(body.waiting, [{
    kind: "connection-failed",
    count: 1,
    countIsCapped: false,
    amounts: [],
    oldest: body.today,
    connections: [{ kind: "mail", name: "" }],
  }]);
  assertEquals(body.sales.count, 0);

  await setUpMail(product, { ...MAIL, smtpHost: "localhost" });
  assertEquals(await readWaiting(product), [], "the settings changed");
  await product.post(TEST, {});
  assertEquals((await readWaiting(product)).length, 1);
  await setUpMail(product, {});
  assertEquals(await readWaiting(product), [], "the connection was removed");
});

Deno.test("Home counts the e-mails that were given up in the last days", async () => {
  await using product = await startProduct();
  const DAY_MS = 86_400_000;
  const add = (channel: "email" | "portal", state: "dead" | "failed" | "sent", days: number) =>
    product.deps.db.insert(notificationDeliveries).values({
      id: crypto.randomUUID(),
      eventId: crypto.randomUUID(),
      rule: "late",
      channel,
      address: "ann@example.fr",
      state,
      notice: {
        doc: "1",
        dct: "RI",
        kco: "00001",
        status: "207",
        reason: "",
        action: "",
        message: "",
      },
      createdAt: new Date(Date.now() - days * DAY_MS),
    });
  await add("email", "dead", 0);
  await add("email", "dead", 3);
  await add("email", "dead", 8);
  await add("email", "sent", 1);
  await add("email", "failed", 1);
  await add("portal", "dead", 1);
  assertEquals(await readWaiting(product), [{
    kind: "email-given-up",
    count: 2,
    countIsCapped: false,
    amounts: [],
    oldest: findDay(new Date(Date.now() - 3 * DAY_MS)),
  }]);
});

Deno.test("failing connections are shown to users who may see connections", () =>
  inFolder(async (folder) => {
    await using product = await startGuarded(folder);
    const admin = await administrate(product);
    const set = await fetch(`${product.url}/api/templates/global`, {
      method: "PUT",
      headers: { ...admin.headers, "content-type": "application/json" },
      body: JSON.stringify({ name: "global", type: "system", properties: MAIL }),
    });
    assertEquals(set.status, 200, await set.text());
    await admin.post(TEST, {});
    const read = async (username: string, permissions: readonly string[]) => {
      const who = { username, password: "Nine-quiet-bridges-4" };
      await admin.admit(who, permissions);
      const { headers } = await administrate(product, who);
      const { waiting } = await (await fetch(`${product.url}/api/home`, { headers })).json();
      return waiting.map((it: { kind: string }) => it.kind);
    };
    assertEquals(await read("it", ["templates:read"]), ["connection-failed"]);
    assertEquals(await read("clerk", ["invoices:read", "invoices:run"]), []);
  }));
