import { assert, assertEquals, assertMatch } from "@std/assert";
import { notificationDeliveries } from "#drizzle/schema/mod.ts";
import { starterFolder } from "#src/compose/sections.ts";
import { applyStarter } from "#src/framework/configuration/mod.ts";
import { startSmtp } from "#tests/gateway/mail/support.ts";
import { longTest } from "#tests/support/long.ts";
import { until } from "#tests/support/until.ts";
import { signedInAsAnn, startNotifier } from "./support.ts";

const BASE = ["templates:read", "templates:write", "notifications:test", "invoices:status"];

/** Starts the product with sign-in and one user, ann, whose permissions the test changes. */
async function startForAnn(permissions: readonly string[]) {
  const { held, access, accounts } = signedInAsAnn(permissions);
  const it = await startNotifier({ access, given: { accounts } });
  return {
    ...it,
    holds: (codes: readonly string[]) => void held.set("ann", [...codes]),
    [Symbol.asyncDispose]: () => it[Symbol.asyncDispose](),
  };
}

const mail = {
  "channel.portal": "N",
  "channel.email": "Y",
  "email.list": "thief@evil.example",
  body: "{totalTTC} {customerName}",
};
const test = (properties: Record<string, string>) => ({
  rule: { name: "t", properties },
  doc: "100000",
  dct: "RI",
  kco: "00001",
});
const rule = (properties: Record<string, string>) => ({
  name: "r",
  type: "notification-rule",
  properties: { enabled: "Y", "trigger.status": "207", ...properties },
});

Deno.test("a rule sends e-mails only for an author who may send e-mails: at test and at save", async (t) => {
  await using it = await startForAnn(BASE);
  await it.invoice();
  const fire = (properties: Record<string, string>) =>
    it.call("POST", "/api/notifications/test", test(properties));

  await t.step("a test reads an invoice", async () => {
    const { status, body } = await fire(mail);
    assertEquals([status, body.permission], [403, "invoices:read"]);
    const over = { from: "2020-01-01", to: "2100-01-01" };
    const replayed = await it.call("POST", "/api/notifications/replay", {
      rule: { properties: mail },
      ...over,
    });
    assertEquals([replayed.status, replayed.body.permission], [403, "invoices:read"]);
  });
  await t.step("and sends e-mails, where the rule does", async () => {
    it.holds([...BASE, "invoices:read"]);
    const { status, body } = await fire(mail);
    assertEquals([status, body.permission], [403, "email:send"]);
    assertMatch(body.error, /email:send is missing/);
    assertEquals([await it.mails(), await it.inbox()], [[], []]);
    assertEquals((await fire({ "portal.message": "x" })).body.success, true);
  });
  await t.step("a save is refused alike, a change and a copy too", async () => {
    it.holds([...BASE, "email:send"]);
    for (const properties of [mail, {}]) {
      const blind = await it.call("POST", "/api/templates", rule(properties));
      assertEquals(
        [blind.status, blind.body.permission],
        [403, "invoices:read"],
        "portal-only too",
      );
    }
    it.holds([...BASE, "invoices:read"]);
    const refused = await it.call("POST", "/api/templates", rule(mail));
    assertEquals([refused.status, refused.body.permission], [403, "email:send"]);
    assertEquals((await it.call("POST", "/api/config/template", rule(mail))).status, 403);
    assertEquals((await it.call("POST", "/api/templates", rule({}))).status, 200);
    assertEquals((await it.call("PUT", "/api/templates/r", rule(mail))).status, 403);
    it.holds([...BASE, "email:send", "invoices:read"]);
    assertEquals((await it.call("PUT", "/api/templates/r", rule(mail))).status, 200);
    it.holds(BASE);
    assertEquals((await it.call("POST", "/api/templates/r/copy/r2")).status, 403);
  });
  await t.step("who holds both may do all of it", async () => {
    it.holds([...BASE, "invoices:read", "email:send"]);
    const { status, body } = await fire({ ...mail, attachPdf: "N" });
    assertEquals([status, body.success, body.emails], [200, true, 1]);
  });
});

Deno.test("at dispatch a rule whose owner lost email:send delivers no e-mail and says why", async (t) => {
  const all = [...BASE, "invoices:read", "email:send"];
  await using it = await startForAnn(all);
  await it.invoice();
  const saved = await it.call("POST", "/api/templates", rule({ ...mail, "channel.portal": "Y" }));
  assertEquals(saved.status, 200);

  await t.step("while it is held the mail leaves", async () => {
    await it.status("207", "x");
    await it.quiet();
    assertEquals((await it.mails()).length, 1);
  });
  await t.step("afterwards only the portal is notified", async () => {
    it.holds(all.filter((code) => code !== "email:send"));
    await it.status("205");
    await it.status("207", "y");
    await it.quiet();
    assertEquals((await it.mails()).length, 1);
    assertEquals((await it.inbox()).length, 2);
    const [refused, ...others] = await it.deliveries("channel=email&state=failed");
    assertEquals([refused.error, refused.address, others.length], [
      "ann does not hold the permission email:send for the e-mail channel",
      "thief@evil.example",
      0,
    ]);
    assert(refused.settledAt);
    const { notificationPdfs } = await import("#drizzle/schema/mod.ts");
    assertEquals(await it.deps.db.select().from(notificationPdfs), []);
    const again = await it.call("POST", `/api/notifications/deliveries/${refused.id}/replay`);
    assertEquals(again.status, 200);
    await it.quiet();
    assertEquals((await it.deliveries("channel=email&state=failed")).length, 1, "still no right");
    assertEquals([(await it.mails()).length, (await it.inbox()).length], [1, 2]);
    const warned = it.log.find((line) => line.event === "notification.mail.forbidden");
    assertEquals([warned?.level, warned?.["rule"]], ["ERROR", "r"]);
  });
  await t.step(
    "without the right to read invoices it says nothing at all, and that is on record",
    async () => {
      it.holds(all.filter((code) => code !== "invoices:read"));
      await it.status("205");
      await it.status("207", "w");
      await it.quiet();
      it.holds(all);
      assertEquals([(await it.mails()).length, (await it.inbox()).length], [1, 2]);
      const [refused, ...others] = await it.deliveries("channel=dispatch");
      assertEquals([refused.state, others.length], ["failed", 0]);
      assertMatch(refused.error, /^ann does not hold the permission invoices:read for /);
      const [unsent] = await it.deliveries("channel=email&state=failed");
      for (const one of [unsent, refused]) {
        const again = await it.call("POST", `/api/notifications/deliveries/${one.id}/replay`);
        assertEquals(again.status, 200);
        await it.quiet();
      }
      assertEquals([(await it.mails()).length, (await it.inbox()).length], [3, 3]);
      assertEquals(await it.deliveries("state=failed"), [], "the cause is mended");
    },
  );
  await t.step(
    "a rule without owner is nobody's, and says that it is to be saved again",
    async () => {
      const { templates } = await import("#drizzle/schema/mod.ts");
      const { eq } = await import("drizzle-orm");
      const save = { owner: null, version: 1_000_000 }; // as with AUTH=off
      await it.deps.db.update(templates).set(save).where(eq(templates.name, "r"));
      await it.status("205");
      await it.status("207", "z");
      await it.quiet();
      const refused = (await it.deliveries("channel=dispatch")).map((one) => one.error);
      assertEquals(refused.length, 2);
      assertMatch(
        refused.join("\n"),
        /invoices:read .* saved while authentication was off .* saved again/,
      );
      assertEquals((await it.mails()).length, 3);
      const [failed] = await it.deliveries("channel=dispatch&state=failed");
      const again = () => it.call("POST", `/api/notifications/deliveries/${failed.id}/replay`);
      assertEquals((await again()).status, 200);
      await it.quiet();
      assertEquals((await it.deliveries("channel=dispatch&state=failed")).length, 1);
      assertEquals((await it.call("PUT", "/api/templates/r", rule(mail))).status, 200);
      assertEquals((await again()).status, 200);
      await it.quiet();
      assertEquals((await it.mails()).length, 4);
    },
  );
});

Deno.test("an e-mail that waits is not sent once its rule's owner lost a right, nor is one replayed", async () => {
  const all = [...BASE, "invoices:read", "email:send"];
  for (const lost of ["email:send", "invoices:read"]) {
    await using it = await startForAnn(all);
    await it.invoice();
    const down = await startSmtp();
    await down[Symbol.asyncDispose]();
    const global = { name: "global", type: "system", properties: down.properties };
    it.holds([...all, "setup:write"]);
    assertEquals((await it.call("PUT", "/api/templates/global", global)).status, 200);
    it.holds(all);
    assertEquals((await it.call("POST", "/api/templates", rule(mail))).status, 200);
    await it.status("207", "x");
    const first = () => it.deps.db.query.notificationDeliveries.findFirst();
    await until(async () => ((await first())?.attempts ?? 0) > 0, "the first attempt");
    assertEquals((await first())?.state, "pending");
    it.holds(all.filter((code) => code !== lost));
    await until(async () => (await first())?.state !== "pending", "the next attempt");
    const refused = await first();
    assertEquals(refused?.state, "failed");
    assertMatch(
      refused?.lastError ?? "",
      new RegExp(`^ann does not hold the permission ${lost} for `),
    );
    assertEquals((await it.deps.db.query.notificationPdfs.findMany()).length, 0);

    await it.deps.db.update(notificationDeliveries).set({ state: "dead" });
    const replay = () => it.call("POST", `/api/notifications/deliveries/${refused?.id}/replay`);
    assertEquals((await replay()).status, 200);
    await until(async () => (await first())?.state === "failed", "the replayed one");
  }
});

Deno.test("messages to everybody reach users who may read invoices", async () => {
  await using it = await startForAnn([...BASE, "invoices:read"]);
  await it.invoice();
  const told = { "portal.message": "{totalTTC}" };
  assertEquals((await it.call("POST", "/api/templates", rule(told))).status, 200);
  await it.status("207", "x");
  await it.quiet();
  assertEquals((await it.inbox()).length, 1);
  const id = (await it.inbox())[0]?.id;
  it.holds(BASE);
  assertEquals(await it.inbox(), []);
  assertEquals((await it.call("POST", `/api/inbox/${id}/read`)).status, 404);
});

Deno.test("a test with an invalid status is refused with its name", async () => {
  await using it = await startNotifier({ work: false });
  await it.invoice();
  const fire = (status: string) =>
    it.call("POST", "/api/notifications/test", { ...test({}), status });
  const { status, body } = await fire("zz");
  assertEquals(status, 400);
  assertMatch(body.error, /status: "zz" is no status code/);
  for (const known of ["207", "200", "10", ""]) assertEquals((await fire(known)).status, 200);
});

longTest(
  "a mail shows the chart its rule names, as far as its owner may see it at that moment",
  async (t) => {
    const mails = [...BASE, "invoices:read", "email:send"];
    const sees = [...mails, "chart:invoices_by_status", "sql:invoicing:invoices_by_status"];
    const withChart = {
      ...mail,
      attachPdf: "N",
      body: "<b>{doc}</b>",
      chart: "invoices_by_status",
    };
    await using it = await startForAnn(mails);
    assertEquals(await applyStarter(it.deps, starterFolder()), true);
    await it.invoice();
    const send = async (reason: string) => {
      const before = new Set(await it.mails());
      await it.status("205");
      await it.status("207", reason);
      await it.quiet();
      const [message = "", ...others] = (await it.mails()).filter((one) => !before.has(one));
      assertEquals(others, []);
      return message.replace(/=\r?\n/g, "");
    };
    await t.step("a rule may be saved by users who may open the chart", async () => {
      const refused = await it.call("POST", "/api/templates", rule(withChart));
      assertEquals([refused.status, refused.body.permission], [403, "chart:invoices_by_status"]);
      it.holds(sees);
      const wrong = await it.call("POST", "/api/templates", rule({ ...withChart, chart: "a b" }));
      assertEquals(wrong.status, 422);
      assertMatch(wrong.body.error, /"a b" is no name of a chart/);
      assertEquals((await it.call("POST", "/api/templates", rule(withChart))).status, 200);
    });
    await t.step("the picture is below the text, which is not HTML", async () => {
      const message = await send("x");
      assertMatch(message, /Content-Type: image\/png/);
      assertMatch(message, /iVBORw0KGgo/);
      assertMatch(message, /cid:picture/);
      assertMatch(message, /&#60;b&#62;100000/);
    });
    await t.step(
      "without the code of its query the mail says that it could not be drawn",
      async () => {
        it.holds([...mails, "chart:invoices_by_status"]);
        const message = await send("y");
        assert(!message.includes("image/png"), message);
        assertMatch(message, /The chart invoices_by_status could not be drawn/);
        const warned = it.log.find((line) => line.event === "notification.chart.failed");
        assertEquals([warned?.level, warned?.["rule"], warned?.["chart"]], [
          "ERROR",
          "r",
          "invoices_by_status",
        ]);
      },
    );
    await t.step("a missing chart fails no mail", async () => {
      it.holds([...sees, "chart:gone"]);
      const gone = rule({ ...withChart, chart: "gone" });
      assertEquals((await it.call("PUT", "/api/templates/r", gone)).status, 200);
      assertMatch(await send("z"), /The chart gone could not be drawn/);
    });
  },
);
