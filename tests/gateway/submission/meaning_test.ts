import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseCdar } from "#src/domain/cdar/mod.ts";
import { parseXml } from "#src/xml/mod.ts";
import { printedPages } from "#tests/adapters/pdf_text.ts";
import { casesFolder } from "#tests/conformance/support.ts";
import { until } from "#tests/support/until.ts";
import {
  getQuarantine,
  incoming,
  poll,
  readCodes,
  readTold,
  type Stage,
  stage,
} from "./support.ts";

const FOLDER = join(casesFolder(), "meaning");
const LANGUAGE = { "x-service-lang": "en" };

interface PaFlow {
  readonly flowId: string;
  readonly name: string;
  readonly processingRule?: string;
  readonly trackingId?: string;
}
interface Item {
  readonly id: string;
  readonly state: string;
  readonly message: string;
}
interface Found {
  readonly rule: string;
  readonly level: string;
  readonly sourceField: string | null;
  readonly value: string | null;
}

/** The product, and the invoice that a case became in it. */
interface World extends Stage {
  /** Sends a case as a file of ours; resolves to the invoices of its run. */
  send(file: string, mode?: string): Promise<Item[]>;
  /** Sends a case with one invoice, as `send` does. */
  sendOne(file: string): Promise<Item>;
  /** Receives a case as a file of a supplier; its number is in it. */
  receive(file: string): Promise<void>;
  read(path: string): Promise<Record<string, unknown>>;
}

async function world(): Promise<World> {
  const own = await stage();
  const { product } = own;
  const template = (await product.get("/api/templates/R42565")).body;
  const properties = {
    ...template.properties,
    iban: "FR7630006000011234567890189",
    preflight: "block",
  };
  await product.send("PUT", "/api/templates/R42565", { ...template, properties });
  const send = async (name: string, mode = "UBL"): Promise<Item[]> => {
    const file = await product.write(name, await readFile(join(FOLDER, name)));
    const { body } = await product.post("/api/run", { template: "R42565", file, mode });
    return (await product.get(`/api/runs/${body.runId}`, LANGUAGE)).body.invoices;
  };
  return {
    ...own,
    send,
    async sendOne(name) {
      const [item] = await send(name);
      if (!item) throw new Error(`${name} became no invoice`);
      return item;
    },
    async receive(name) {
      const bytes = new Uint8Array(await readFile(join(FOLDER, name)));
      await incoming(own, name.endsWith(".pdf") ? bytes : new TextDecoder().decode(bytes));
      await poll(own);
      assertEquals((await getQuarantine(own)).flows, []);
    },
    read: async (path) => (await product.get(`/api/invoices/${path}`, LANGUAGE)).body,
  };
}

async function print({ product }: Stage, id: string): Promise<string> {
  const file = await product.request(`/api/invoices/${id}/pdf?lang=fr`);
  const pages = await printedPages(new Uint8Array(await file.arrayBuffer()));
  return pages.flat().map((it) => it.text).join("\n").replace(/\s/g, " ");
}

async function flowAtPa({ product }: Stage, is: (flow: PaFlow) => boolean): Promise<PaFlow> {
  let found: PaFlow | undefined;
  await until(async () => {
    const { flows } = await (await fetch(`${product.sandbox.url}/sandbox/flows`)).json();
    found = flows.find(is);
    return found !== undefined;
  }, "the flow at the PA");
  if (!found) throw new Error("The PA has no such flow");
  return found;
}

/** Tells a status; resolves to the lifecycle message that the PA received. */
async function getMessage({ product, ...stage }: Stage, id: string, status: object) {
  const told = await product.post(`/api/invoices/${id}/status`, { target: "pa", ...status });
  assertEquals(told.status, 200, JSON.stringify(told.body));
  const flow = await flowAtPa({ product, ...stage }, (it) => it.trackingId === told.body.uuid);
  const file = await fetch(`${product.sandbox.url}/sandbox/flows/${flow.flowId}/file`);
  const [event] = parseCdar(parseXml(await file.text()));
  if (!event) throw new Error("The lifecycle message holds no event");
  return event;
}

/** The verdict of today's rules on a document, and its fatal rules. */
async function validate({ product }: Stage, name: string) {
  const answer = await product.request("/api/validate/document", {
    method: "POST",
    headers: { "content-type": "application/xml" },
    body: new Uint8Array(await readFile(join(FOLDER, name))),
  });
  const verdict: { valid: boolean; findings: Found[]; sets: { version: string }[] } = await answer
    .json();
  assert(verdict.sets.some(({ version }) => version === "1.4.0.04"), JSON.stringify(verdict.sets));
  const rules = verdict.findings.filter((it) => it.level === "FATAL").map((it) => it.rule);
  return [verdict.valid, rules];
}

const statusCodes = async ({ read }: World, id: string) =>
  ((await read(`${id}/actions`))["statuses"] as { code: string }[]).map((it) => it.code);
const getFindings = async ({ read }: World, id: string) =>
  (await read(`${id}/errors?pageSize=500`))["errors"] as Found[];

/** One check for each row of `expected.tsv`, which describes the expectation. */
const CHECKS: Readonly<Record<string, (on: World) => Promise<void>>> = {
  async "x01-bar-then-free.xml"(on) {
    assertEquals(await validate(on, "x01-bar-then-free.xml"), [true, []]);
  },
  async "x04-cn-due.xml"(on) {
    assertEquals(await validate(on, "x04-cn-due.xml"), [false, ["BR-FR-CO-07_BT-9"]]);
  },
  async "c07-two-terms-ctc.xml"(on) {
    assertEquals(await validate(on, "c07-two-terms-ctc.xml"), [true, []]);
    await on.receive("c07-two-terms-ctc.xml");
    const { paymentTerms } = await on.read("F-C7-PV-00000/details");
    assertEquals(paymentTerms, [
      { note: "1er", dueDate: "2026-12-01", amount: 60, percentage: null },
      { note: "2e", dueDate: "2027-01-01", amount: 60, percentage: null },
    ]);
    const page = await print(on, "F-C7-PV-00000");
    for (const term of ["1er · 01/12/2026 · 60,00 €", "2e · 01/01/2027 · 60,00 €"]) {
      assertStringIncludes(page, term);
    }
  },
  async "r01-badaddress.xml"(on) {
    const item = await on.sendOne("r01-badaddress.xml");
    assertEquals(item.state, "send_failed", item.message);
    const { invoice } = await on.read(item.id) as { invoice: { status: string } };
    assertEquals(invoice.status, "9904");
    const found = (await getFindings(on, item.id)).filter((it) => it.rule === "DIR-UNROUTABLE");
    assertEquals(found.map((it) => it.level), ["ERROR"]);
    const sent = (await on.sandbox.truth()).submits;
    assertEquals(JSON.stringify(sent).includes(item.id), false);
  },
  async "z01-archiveonly.xml"(on) {
    const item = await on.sendOne("z01-archiveonly.xml");
    assertEquals(item.state, "submitted", item.message);
    const flow = await flowAtPa(on, (it) => it.name.startsWith(item.id));
    assertEquals(flow.processingRule, "ArchiveOnly");
    await readTold(on, item.id, ["10"]);
    await poll(on);
    const codes = await readCodes(on, item.id);
    assertEquals(codes.filter((it) => Number(it) >= 200 && Number(it) < 300), []);
    assertEquals(await statusCodes(on, item.id), []);
    const told = await on.product.post(`/api/invoices/${item.id}/status`, {
      target: "pa",
      name: "PAYMENT_RECEIVED",
      data: { amounts: [{ amount: "120.00", rate: "20" }] },
    });
    assertEquals(told.status, 422);
  },
  async "z02-b2c.xml"(on) {
    const item = await on.sendOne("z02-b2c.xml");
    assertEquals(item.state, "submitted", item.message);
    const flow = await flowAtPa(on, (it) => it.name.startsWith(item.id));
    assertEquals(flow.processingRule, "B2C");
    const { invoice } = await on.read(item.id) as {
      invoice: { treatmentDetails: { reports: string[] } };
    };
    assert(invoice.treatmentDetails.reports.includes("10.3"));
    await readTold(on, item.id, ["10"]);
    const event = await getMessage(on, item.id, {
      name: "PAYMENT_RECEIVED",
      data: { amounts: [{ amount: "120.00", rate: "20" }] },
    });
    assertEquals(event.businessProcess, "B2C");
  },
  async "y03-bt34-em.xml"(on) {
    await on.receive("y03-bt34-em.xml");
    const event = await getMessage(on, "Y-3-PV-00000", {
      name: "REFUSED",
      reason: "TX_TVA_ERR",
      data: { comment: "Taux incorrect" },
    });
    assertEquals(event.recipients.map((it) => [it.addressScheme, it.address]), [
      ["EM", "compta@durand.example"],
    ]);
  },
  async "s01-389-issued.xml"(on) {
    const item = await on.sendOne("s01-389-issued.xml");
    assertEquals(item.state, "submitted", item.message);
    await readTold(on, item.id, ["10"]);
    const { invoice } = await on.read(item.id) as { invoice: { role: string } };
    assertEquals(invoice.role, "buyer");
    const codes = await statusCodes(on, item.id);
    assert(codes.includes("205") && !codes.includes("212"), codes.join());
    const event = await getMessage(on, item.id, { name: "APPROVED" });
    assertEquals(event.recipients.map((it) => it.role), ["SE"]);
  },
  async "e-21-country.xml"(on) {
    await on.send("e-21-country.xml", "BURST");
    const found = (await getFindings(on, "200021-RI-00001")).filter((it) => it.rule === "BR-CL-14");
    assert(found.length > 0);
    assertEquals(new Set(found.map((it) => it.sourceField)), new Set(["Sold_To_S13/Country_ID45"]));
  },
  async "b-01-ctrl.xml"(on) {
    const items = await on.send("b-01-ctrl.xml", "BURST");
    assertEquals(items.map((it) => it.state), ["submitted", "failed", "submitted"]);
    assertMatch(items[1]?.message ?? "", /0x0B/);
  },
  async "u71-baseqty.xml"(on) {
    await on.receive("u71-baseqty.xml");
    const { lines } = await on.read("F-71-PV-00000/lines") as {
      lines: { unitPrice: number; baseQuantity: number }[];
    };
    assertEquals(lines.map((it) => [it.unitPrice, it.baseQuantity]), [[100, 1000]]);
    assertStringIncludes(await print(on, "F-71-PV-00000"), "100,00 / 1 000 unités");
  },
  async "u48-ext-multiorder.xml"(on) {
    await on.receive("u48-ext-multiorder.xml");
    const { lines } = await on.read("F-48-PV-00000/lines") as { lines: { orderRef: string }[] };
    assertEquals(lines.map((it) => it.orderRef), ["CMD-A", "CMD-B"]);
    const page = await print(on, "F-48-PV-00000");
    for (const order of ["CMD-A", "CMD-B"]) assertStringIncludes(page, order);
  },
  async "p02-unspecified.pdf"(on) {
    await on.receive("p02-unspecified.pdf");
    const { lines } = await on.read("P-2-PV-00000/lines") as { lines: unknown[] };
    assertEquals(lines.length, 1);
    const found = (await getFindings(on, "P-2-PV-00000")).filter((it) =>
      it.rule === "FX-RELATIONSHIP"
    );
    assertEquals(found.map((it) => [it.level, it.value]), [["WARNING", "Unspecified"]]);
  },
  async "p01-base.pdf"(on) {
    const item = await on.sendOne("p01-base.pdf");
    assertEquals(item.state, "rejected", item.message);
    const fatal = (await getFindings(on, item.id)).filter((it) => it.level === "FATAL");
    assertEquals(
      fatal.map((it) => it.rule).toSorted(),
      ["FX-FONT", "FX-INTENT", "FX-PDFA", "FX-SCHEMA"],
    );
    assertEquals(JSON.stringify((await on.sandbox.truth()).submits).includes(item.id), false);
  },
};

Deno.test("each case of what an invoice means is as expected", async (t) => {
  const rows = (await readFile(join(FOLDER, "expected.tsv"), "utf8")).trim().split("\n").slice(1)
    .map((row) => row.split("\t"));
  assertEquals(rows.map(([file]) => file).toSorted(), Object.keys(CHECKS).toSorted());
  await using on = await world();
  for (const [file = "", how, expected] of rows) {
    await t.step(`${file}, ${how}: ${expected}`, () => CHECKS[file]?.(on));
  }
});
