import { assert, assertEquals, assertMatch } from "@std/assert";
import { findInvoice, recordFilings } from "#src/gateway/invoices/mod.ts";
import { getCells, readSheets } from "#tests/support/workbook.ts";
import { incoming, issue, poll, readStatus, readTold, type Stage, stage } from "../support.ts";

interface Point {
  readonly code: string;
  readonly label: string;
  readonly labelEn: string;
  readonly happened: string;
  readonly todo: string;
  readonly at: string | null;
  readonly by: string | null;
  readonly reasonCode: string | null;
  readonly message: string;
}

async function readPoints({ product }: Stage, id: string): Promise<Point[]> {
  return (await product.get(`/api/invoices/${id}`)).body.invoice.attentionDetails;
}

async function list({ product }: Stage, attention: string): Promise<string[]> {
  const query = `attention=${attention}&sortBy=fedoc&sortDir=asc&pageSize=500`;
  const { body } = await product.get(`/api/invoices?${query}`);
  assertEquals(body.total, body.invoices.length);
  return body.invoices.map((it: { ublNumber: string; attention: { code: string }[] }) =>
    `${it.ublNumber} ${it.attention.map(({ code }) => code).join("+")}`
  );
}

Deno.test("refusals of a platform or the public portal are listed and flagged until resolved", async (t) => {
  await using world = await stage();
  const { product, sandbox } = world;
  await sandbox.script({ match: { invoiceNumber: "RI-230002" }, script: "not-transmitted" });
  const ids = await issue(world, 6, 230_000);
  const [routed = "", told = "", untransmitted = "", refused = "", inadmissible = "", clean = ""] =
    ids;
  for (const id of ids) await readTold(world, id, ["10"]);
  await incoming(world, { invoiceNumber: "RI-230000", status: "221", reason: "ROUTAGE_ERR" });
  await incoming(world, { invoiceNumber: "RI-230003", status: "251", reason: "REJ_COH" });
  await incoming(world, { invoiceNumber: "RI-230004", status: "501", reason: "IRR_SYNTAX" });
  await incoming(world, { invoiceNumber: "RM-230001", status: "601", reason: "REJ_SEMAN" });
  await readTold(world, routed, ["221"]);
  await readTold(world, told, ["601"]);
  await readTold(world, refused, ["251"]);
  await readTold(world, inadmissible, ["501"]);

  await t.step("the list has them, by any point or by one", async () => {
    assertEquals(await list(world, "any"), [
      "RI-230000 not-routed",
      "RM-230001 status-refused",
      "RI-230002 not-transmitted",
      "RI-230003 portal-refused",
      "RI-230004 inadmissible",
    ]);
    assertEquals(await list(world, "not-routed,portal-refused"), [
      "RI-230000 not-routed",
      "RI-230003 portal-refused",
    ]);
    assertEquals((await product.get("/api/invoices?attention=other")).status, 400);
  });
  await t.step("the XLSX file of the list has them, in a column of their own", async () => {
    const response = await product.request("/api/invoices/export", {
      method: "POST",
      headers: { "content-type": "application/json", "x-service-lang": "en" },
      body: JSON.stringify({
        attention: "any",
        sortBy: "fedoc",
        sortDir: "asc",
        columns: ["ublNumber", "status"],
      }),
    });
    const [rows] = await readSheets(response);
    assertEquals(getCells(rows), [
      ["Number", "Status", "To be dealt with"],
      ["RI-230000", "Routing error", "Not routed"],
      ["RM-230001", "Deposited", "Status refused by the public portal"],
      ["RI-230002", "Deposited", "Not transmitted"],
      ["RI-230003", "Deposited", "Refused by the public portal"],
      ["RI-230004", "Not receivable", "File not receivable"],
    ]);
  });
  await t.step("Home counts them, whatever the page it asks for", async () => {
    const { body } = await product.get("/api/invoices?attention=any&pageSize=1");
    assertEquals([body.total, body.invoices.length], [5, 1]);
  });
  await t.step("each is flagged on its invoice with its own words", async () => {
    const flags = await Promise.all(ids.map((id) => readPoints(world, id)));
    assertEquals(flags.map((it) => it.map(({ labelEn }) => labelEn)), [
      ["Not routed"],
      ["Status refused by the public portal"],
      ["Not transmitted"],
      ["Refused by the public portal"],
      ["File not receivable"],
      [],
    ]);
    for (const { happened, todo } of flags.flat()) assert(happened && todo);
  });
  await t.step("a deposited invoice says that the portal refused its data", async () => {
    assertEquals(await readStatus(world, refused), "10");
    const [point] = await readPoints(world, refused);
    assertEquals([point?.code, point?.by, point?.reasonCode], [
      "portal-refused",
      "portal",
      "REJ_COH",
    ]);
    assertEquals(point?.labelEn, "Refused by the public portal");
    assert(point?.at);
    assertMatch(point?.todo ?? "", /platform/);
    const [lost] = await readPoints(world, untransmitted);
    assertEquals([lost?.by, lost?.reasonCode], ["pa", "NON_TRANSMISE"]);
    assertEquals(await readPoints(world, clean), []);
  });
  await t.step("a later status ends an error of routing", async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_100)); // lifecycle messages contain whole seconds
    await incoming(world, { invoiceNumber: "RI-230000", status: "202" });
    await readTold(world, routed, ["202"]);
    assertEquals([await readStatus(world, routed), await readPoints(world, routed)], ["202", []]);
  });
  await t.step("a person marks a point as handled once, with a comment in the audit", async () => {
    const path = `/api/invoices/${refused}/attention`;
    assertEquals((await product.post(path, { points: ["portal-refused"] })).status, 400);
    const given = { points: ["portal-refused"], comment: "Credit note AV-12 was issued" };
    assertEquals((await product.post(path, given)).status, 200);
    assertEquals(await readPoints(world, refused), []);
    assertEquals((await product.post(path, given)).status, 409);
    const { body } = await product.get("/admin/audit?event=invoice.attention_handled");
    const [entry] = body.entries;
    assertEquals([entry.target, entry.before, entry.after], [
      refused,
      { attention: ["portal-refused"] },
      given,
    ]);
    await poll(world);
    assertEquals(await readPoints(world, refused), [], "the same message opens it once");
  });
  await t.step("a new submission ends the point of the one before", async () => {
    const forced = { force: true, reason: "The portal asked for it" };
    assertEquals((await product.post(`/api/invoices/${inadmissible}/resend`, forced)).status, 200);
    assertEquals(await readPoints(world, inadmissible), []);
  });
  await t.step("an invoice under another rule of the PA waits, too", async () => {
    const { db } = product.deps;
    const [doc = "", dct = "", kco = ""] = clean.split("-");
    const row = await findInvoice(db, { doc, dct, kco });
    const id = row?.id ?? 0;
    const file = (rule: string) =>
      db.transaction((tx) => recordFilings(tx, new Map([[id, { rule, source: "Computed" }]])));
    await file("B2BInt");
    assertEquals((await readPoints(world, clean)).map((it) => it.code), ["filed-differently"]);
    assertEquals((await list(world, "any")).at(-1), "RI-230005 filed-differently");
    await file("B2B");
    assertEquals(await readPoints(world, clean), []);
  });
});
