import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { reasonLabel } from "#src/domain/invoice/reasons.ts";
import { noAccounts } from "#src/ports/accounts.ts";
import { sql } from "drizzle-orm";
import { until } from "#tests/support/until.ts";
import { ID, startNotifier } from "./support.ts";

Deno.test("a status change is sent to the recipients of the rules", async (t) => {
  await using it = await startNotifier();
  await it.invoice();

  await t.step("without an enabled rule a status change makes no task", async () => {
    await it.rule("off", { enabled: "N" });
    await it.status("204");
    const { tasks } = await import("#drizzle/schema/mod.ts");
    assertEquals(await it.deps.db.select().from(tasks), []);
    assertEquals(await it.inbox(), []);
  });

  await t.step(
    "an empty portal target is one record under the * sentinel, with the defaults",
    async () => {
      await it.rule("Litiges", { "trigger.status": "207" });
      await it.status("207", "TX_TVA_ERR");
      await it.quiet();
      const [record, ...others] = await it.inbox();
      assertEquals([others.length, record?.target, record?.subject, record?.message], [
        0,
        "*",
        "Invoice 100000 RI 00001 — In dispute",
        "In dispute",
      ]);
      assertEquals(record?.statusReason, reasonLabel("TX_TVA_ERR", "en"));
    },
  );

  await t.step("a status outside the list fires nothing", async () => {
    await it.status("205");
    await it.quiet();
    assertEquals((await it.inbox()).length, 1);
  });

  await t.step(
    "saving a rule makes the dispatcher reload: the next status change uses the new set",
    async () => {
      const properties = {
        enabled: "Y",
        "trigger.status": "207",
        subject: "{ruleName}: {ublNumber} {totalTTC} {currency}",
        "target.name": "ann",
      };
      const saved = await it.call("PUT", "/api/templates/Litiges", {
        name: "Litiges",
        type: "notification-rule",
        properties,
      });
      assertEquals(saved.status, 200);
      await it.status("207", "x");
      await it.quiet();
      const record = (await it.inbox())[0];
      assertEquals(record?.target, "user:ann");
      assertMatch(record?.subject ?? "", /^Litiges: RI-100000 \d+\.\d\d EUR$/);
    },
  );

  await t.step("a deleted rule no longer fires", async () => {
    await it.call("DELETE", "/api/templates/Litiges");
    await it.rule("other", { "trigger.status": "213" });
    await it.status("207", "again");
    await it.quiet();
    assertEquals((await it.inbox()).length, 2);
  });

  await t.step("direction: Received only does not fire for an issued invoice", async () => {
    await it.rule("in", { direction: "Received only", "trigger.status": "206" });
    await it.rule("out", { direction: "Issued only", "trigger.status": "206" });
    await it.status("206", "part");
    await it.quiet();
    assertEquals((await it.deliveries("rule=in")).length, 0);
    assertEquals((await it.deliveries("rule=out")).length, 1);
    const [last, ...earlier] = await it.inbox();
    assertEquals(last?.statusReason, "part");
    assertEquals(earlier.map((it) => it.statusReason), earlier.map(() => null), "of the past");
  });

  await t.step("reasons: fires for a listed one only", async () => {
    await it.rule("reason", { "trigger.status": "207", "trigger.reason": "DOUBLON" });
    await it.status("207", "TX_TVA_ERR");
    await it.status("207", "DOUBLON");
    await it.quiet();
    assertEquals((await it.deliveries("rule=reason")).length, 1);
  });
});

Deno.test("processing an invoice fires for created and for validated", async () => {
  await using it = await startNotifier();
  await it.rule("all", { subject: "{statusCode}" });
  await it.rule("created", { "trigger.status": "9900", subject: "{doc} {logBusinessUnit}" });
  await it.invoice(ID, { erp: "<R><BusinessUnit_ID12>        1001</BusinessUnit_ID12></R>" });
  await it.quiet();
  const subjects = (await it.inbox()).map((record) => record.subject).sort();
  assertEquals(subjects, ["100000 1001", "9900", "9901"]);
});

Deno.test("the e-mail channel sends one message per address of the list, the PDF rendered once per rule", async (t) => {
  let rendered = 0;
  await using base = await startNotifier({ work: false });
  const pdf = {
    ...base.deps.pdf,
    render: (
      ...args: Parameters<typeof base.deps.pdf.render>
    ) => (rendered++, base.deps.pdf.render(...args)),
  };
  await using it = await startNotifier({ given: { pdf } });
  await it.invoice();

  await t.step(
    "addresses separated by , or ; and no portal record without the portal",
    async () => {
      await it.rule("mail", {
        "trigger.status": "207",
        "channel.portal": "N",
        "channel.email": "Y",
        "email.list": "ann@example.fr; bob@example.fr,carl@example.fr",
      });
      await it.status("207", "TX_TVA_ERR");
      await it.quiet();
      assertEquals(await it.inbox(), []);
      const mails = await it.mails();
      assertEquals(mails.map((mail) => /^To: (.*)$/m.exec(mail)?.[1]?.trim()).sort(), [
        "ann@example.fr",
        "bob@example.fr",
        "carl@example.fr",
      ]);
      assertEquals(rendered, 1);
      for (const mail of mails) {
        assertStringIncludes(mail, "filename=100000-RI-00001.pdf");
        assertStringIncludes(mail, "Content-Type: application/pdf");
        assertMatch(mail, /Subject: =\?UTF-8\?.*100000/);
      }
    },
  );

  await t.step(
    "the message id follows from the delivery, and the PDF is forgotten after the last message",
    async () => {
      const [delivery] = await it.deliveries("channel=email");
      const mails = await it.mails();
      assert(mails.some((mail) => mail.includes(`Message-ID: <${delivery.id}@`)));
      const kept = await it.deps.db.execute(sql`select count(*)::int as n from notification_pdfs`);
      assertEquals((kept as unknown as { rows: { n: number }[] }).rows[0]?.n, 0);
    },
  );

  await t.step("attachPdf N renders nothing", async () => {
    await it.rule("bare", {
      "trigger.status": "206",
      "channel.email": "Y",
      "email.list": "dora@example.fr",
      attachPdf: "N",
    });
    await it.status("206", "x");
    await it.quiet();
    const mail = (await it.mails()).find((text) => text.includes("dora@example.fr")) ?? "";
    assert(!mail.includes("application/pdf"));
    assertEquals(rendered, 1);
  });
});

Deno.test("a render failure is logged and never fails the e-mail", async () => {
  const broken = {
    render: () => Promise.reject(new Error("no ink")),
    facturX: () => Promise.reject(new Error("no ink")),
  };
  await using it = await startNotifier({ given: { pdf: broken } });
  await it.invoice();
  await it.rule("mail", { "channel.email": "Y", "email.list": "ann@example.fr" });
  await it.status("207", "x");
  await it.quiet();
  assertEquals((await it.mails()).length, 1);
  assertEquals((await it.inbox()).length, 1);
  const line = it.log.find((entry) => entry.event === "notification.pdf.failed");
  assertEquals([line?.level, line?.["reason"]], ["ERROR", "no ink"]);
});

Deno.test("with authentication, a portal target whose user record has an e-mail address also receives the e-mail", async () => {
  const accounts = {
    ...noAccounts,
    enabled: true,
    emailOf: (name: string) => Promise.resolve(name === "ann" ? "ann@users.example.fr" : undefined),
  };
  await using it = await startNotifier({ given: { accounts } });
  await it.invoice();
  const list = { "trigger.status": "207", "channel.email": "Y", attachPdf: "N" };
  await it.rule("both", { ...list, "target.name": "ann", "email.list": "x@example.fr" });
  await it.rule("none", { ...list, "target.name": "bob" });
  await it.rule("no mail", { "trigger.status": "207", "target.name": "ann" });
  await it.status("207", "x");
  await it.quiet();
  const sent = (await it.deliveries("channel=email")).map((
    delivery,
  ) => [delivery.rule, delivery.address, delivery.state]).sort();
  assertEquals(sent, [["both", "ann@users.example.fr", "sent"], ["both", "x@example.fr", "sent"]]);
});

Deno.test("each dispatch writes a structured INFO line: rule, status, channels, number of actions", async () => {
  await using it = await startNotifier();
  await it.invoice();
  await it.rule("mail", {
    "trigger.status": "207",
    "channel.email": "Y",
    "email.list": "ann@example.fr",
    attachPdf: "N",
  });
  await it.status("207", "x");
  await it.quiet();
  const line = it.log.find((entry) => entry.event === "notification.dispatched");
  assertEquals([
    line?.level,
    line?.["rule"],
    line?.["status"],
    line?.["channels"],
    line?.["actions"],
  ], ["INFO", "mail", "207", ["portal", "email"], 0]);
  assert(!JSON.stringify(it.log).includes("ann@example.fr"), "no address reaches the log");
});

Deno.test("a dispatch failure never aborts the status update, stops no other rule, and waits to be replayed", async () => {
  let broken = true;
  const emailOf = () =>
    broken ? Promise.reject(new Error("directory down")) : Promise.resolve(undefined);
  await using it = await startNotifier({
    given: { accounts: { ...noAccounts, enabled: true, emailOf } },
  });
  await it.invoice();
  await it.rule("a broken", {
    "trigger.status": "207",
    "channel.email": "Y",
    "target.name": "ann",
  });
  await it.rule("b good", { "trigger.status": "207", subject: "still told" });
  await it.status("207", "x");
  await it.quiet();
  assertEquals((await it.call("GET", "/api/invoices?status=207")).body.total, 1);
  const shown = await it.deliveries();
  assertEquals(shown.map((one) => [one.rule, one.channel, one.state, one.error]).sort(), [
    ["a broken", "dispatch", "dead", "directory down"],
    ["b good", "portal", "sent", null],
  ]);
  const line = it.log.find((entry) => entry.event === "notification.failed");
  assertEquals([line?.level, line?.["reason"]], ["ERROR", "directory down"]);

  const dead = shown.find((one) => one.state === "dead");
  const change = async (how: "dismiss" | "replay") => {
    const path = `/api/notifications/deliveries/${dead.id}/${how}`;
    assertEquals((await it.call("POST", path)).status, 200);
    await it.quiet();
  };
  await change("replay");
  assertEquals((await it.deliveries("channel=dispatch"))[0].state, "dead");
  await change("dismiss");
  broken = false;
  await change("replay");
  assertEquals((await it.deliveries("rule=a%20broken&channel=portal")).length, 1);
  assertEquals((await it.deliveries("rule=b%20good")).length, 1, "what was done is not done again");
});

Deno.test("a rolled-back status change notifies nobody", async () => {
  await using it = await startNotifier();
  await it.invoice();
  await it.rule("all");
  const { setStatusByHand } = await import("#src/gateway/invoices/mod.ts");
  await it.deps.db.transaction(async (tx) => {
    await setStatusByHand({ ...it.deps, db: tx }, {
      key: { doc: "100000", dct: "RI", kco: "00001" },
      code: "207",
      reason: "x",
      user: "ann",
    });
    tx.rollback();
  }).catch(() => {});
  await it.quiet();
  assertEquals(await it.inbox(), []);
});

Deno.test("the inbox: unread first, counted, marked as read once, sent live", async () => {
  await using it = await startNotifier();
  await it.invoice();
  await it.rule("all", { "trigger.status": "207" });
  const told: { type: string; permission: string; data: unknown }[] = [];
  it.deps.live.subscribe((event) => event.topic === "inbox" && told.push(event));
  await it.status("207", "x");
  await it.quiet();
  const { body } = await it.call("GET", "/api/inbox?unread=true");
  assertEquals([body.total, body.unread, body.messages[0].invoice, body.messages[0].readAt], [
    1,
    1,
    ID,
    null,
  ]);
  await until(() => told.length === 1, "the live event");
  const [live] = told;
  assertEquals(live, {
    ...live,
    type: "inbox.new",
    permission: "invoices:read",
    data: { count: 1 },
  });
  for (let twice = 0; twice < 2; twice++) {
    assertEquals((await it.call("POST", `/api/inbox/${body.messages[0].id}/read`)).status, 200);
  }
  assertEquals((await it.call("GET", "/api/inbox?unread=true")).body.messages, []);
  assert((await it.inbox())[0]?.readAt);
  assertEquals((await it.call("POST", `/api/inbox/${crypto.randomUUID()}/read`)).status, 404);
});

Deno.test("messages to everybody are sent live to users who read invoices, messages to one user to all clients of that user", async () => {
  await using it = await startNotifier();
  await it.invoice();
  await it.rule("all", { "trigger.status": "207" });
  await it.rule("one", { "trigger.status": "207", "target.type": "User", "target.name": "ann" });
  const told: { permission: string; data: unknown }[] = [];
  it.deps.live.subscribe((event) => event.topic === "inbox" && told.push(event));
  await it.status("207", "x");
  await it.quiet();
  await until(() => told.length === 2, "both live events");
  assertEquals(told.map(({ permission, data }) => ({ permission, data })), [
    { permission: "invoices:read", data: { count: 1 } },
    { permission: "live:read", data: { count: 1 } },
  ]);
});
