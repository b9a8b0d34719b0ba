import { assertEquals, assertMatch } from "@std/assert";
import { switchSending } from "#src/platform/setup/mod.ts";
import { permissionSet } from "#src/domain/permission/permission_set.ts";
import { erpBurst } from "#tests/support/erp.ts";
import { longTest } from "#tests/support/long.ts";
import { until } from "#tests/support/until.ts";
import { issue, poll, readTold, stage } from "../support.ts";

const BY = { username: "operator", roles: [], permissions: permissionSet(["*"]) };

/** Returns calls in the PA's journal that change data. */
async function readWrites({ sandbox }: Awaited<ReturnType<typeof stage>>): Promise<string[]> {
  return (await sandbox.journal()).flatMap((it) =>
    it.kind === "request" && ["submit", "registerWebhook", "deleteWebhook"].includes(it.operation)
      ? [it.operation]
      : []
  );
}

longTest(
  "while sending is off invoices and status messages wait, the PA is polled, and all are sent later",
  async () => {
    await using world = await stage({ RETRY_CAP_MS: "200" });
    const { product } = world;
    const [before = ""] = await issue(world, 1, 880_000);
    await readTold(world, before, ["10"]);
    const written = await readWrites(world);
    await switchSending(product.deps, { isOff: true, by: BY });
    assertEquals((await product.get("/api/readyz")).body.sending, "off");
    const page = await product.request("/", { headers: { accept: "text/html" } });
    assertMatch(await page.text(), /"sending":false/);

    const file = await product.write("off.xml", await erpBurst(1, 880_100));
    await product.post("/api/run", { template: "R42565", file, mode: "BURST" }, {
      prefer: "respond-async",
    });
    const told = await product.post(`/api/invoices/${before}/status`, {
      target: "pa",
      name: "PAYMENT_RECEIVED",
      data: { amounts: [{ rate: "20", amount: "10.00" }] },
    });
    assertEquals(told.status, 200, JSON.stringify(told.body));
    const webhook = await product.post("/api/pa/webhooks", { callbackUrl: "https://a.example/b" });
    assertEquals(webhook.status, 409, JSON.stringify(webhook.body));
    await poll(world);
    const waiting = async () => {
      const { submissions } = (await product.get("/api/submissions")).body;
      const { messages } = (await product.get(`/api/invoices/${before}/status-messages`)).body;
      return [...submissions, ...messages].filter((it: { state: string }) => it.state === "intent")
        .length;
    };
    await until(async () => await waiting() === 2, "both to wait");
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    assertEquals(await waiting(), 2, "nothing is failed by it");
    assertEquals(await readWrites(world), written);

    await switchSending(product.deps, { isOff: false, by: BY });
    await until(async () => await waiting() === 0, "both to leave");
    await until(
      async () => (await readWrites(world)).length === written.length + 2,
      "the PA to have both",
    );
    assertEquals((await product.get("/api/readyz")).body.sending, "on");
  },
);
