import { assert, assertEquals } from "@std/assert";
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { createInvoicePdf } from "#src/adapters/pdf/mod.ts";
import { readInvoice } from "#src/domain/ubl/mod.ts";
import { validateDocument } from "#src/gateway/validation/mod.ts";
import { createShippedValidation } from "#src/compose/judging.ts";
import { parseXml, type XmlDocument, type XmlElement } from "#src/xml/mod.ts";
import { longTest } from "#tests/support/long.ts";
import { GOLDEN } from "#tests/support/product.ts";
import { getQuarantine, incoming, poll, readStatus, type Stage, stage } from "../support.ts";

const FRENCH = join(import.meta.dirname ?? ".", "../../../conformance/french");
const EXAMPLES = ["", "extended", "extended-cii"].flatMap((folder) =>
  readdirSync(join(FRENCH, folder)).filter((name) => name.endsWith(".xml"))
    .map((name) => join(FRENCH, folder, name))
);

longTest(
  "examples of every profile in UBL and CII arrive with status, findings, lines, VAT and totals",
  async (t) => {
    await using world = await stage();
    assert(EXAMPLES.length > 20);
    for (const [nth, file] of EXAMPLES.entries()) {
      await t.step(`${basename(join(file, ".."))}/${basename(file)}`, async () => {
        const example = await readFile(file, "utf8");
        const text = example.replaceAll(asWritten(parseXml(example)).number, `EX-${nth}`);
        await incoming(world, text);
        await poll(world);
        assertEquals((await getQuarantine(world)).flows, []);
        const wanted = asWritten(parseXml(text));
        const row = await getRow(world, wanted.number);
        const id = `${row.fedoc}-${row.fedct}-${row.kco}`;
        assertEquals(await readStatus(world, id), "202");
        assertEquals(
          [row.issueDate, row.totalHT, row.totalTTC, row.amountDue, row.currency],
          [wanted.issueDate, wanted.net, wanted.gross, wanted.due, wanted.currency],
        );
        const [lines, vat, errors] = await Promise.all(
          ["lines", "vat", "errors?pageSize=500"].map(async (path) =>
            (await world.product.get(`/api/invoices/${id}/${path}`)).body
          ),
        );
        assertEquals([lines.lines.length, vat.vat.length], [wanted.lines, wanted.breakdowns]);
        const judged = await validateDocument(
          createShippedValidation(),
          new TextEncoder().encode(text),
          {
            direction: "received",
          },
        );
        const told = errors.errors.map((it: { rule: string }) => it.rule);
        assertEquals(told.toSorted(), judged.findings.map((it) => it.rule).toSorted());
      });
    }
  },
);

Deno.test("a received Factur-X whose PDF announces another profile than its invoice has a finding about it", async () => {
  await using world = await stage();
  const ubl = await readFile(join(GOLDEN, "ubl", "100002-RI-00001.xml"), "utf8");
  const invoice = readInvoice(parseXml(ubl.replaceAll("RI-100002", "SUP-9")));
  const customizationId = "urn:cen.eu:en16931:2017#conformant#urn:factur-x.eu:1p0:extended";
  const pdf = await createInvoicePdf().facturX({ ...invoice, customizationId }, { language: "fr" });
  await incoming(world, new Uint8Array(pdf));
  await poll(world);
  const { body } = await world.product.get("/api/invoices/SUP-9-PV-00000/errors?pageSize=500");
  const found = body.errors.find((it: { rule: string }) => it.rule === "FX-PROFILE");
  assertEquals([found?.level, found?.businessTerm], ["WARNING", "BT-24"], JSON.stringify(body));
});

async function getRow({ product }: Stage, number: string) {
  const { body } = await product.get(
    `/api/invoices?direction=received&ublNumber=${encodeURIComponent(number)}`,
  );
  assert(body.invoices[0], `${number} is not listed: ${JSON.stringify(body)}`);
  return body.invoices[0];
}

/** Reads values of the XML by element names only, without the product's reader. */
function asWritten({ root }: XmlDocument) {
  const all = (parent: XmlElement, name: string): XmlElement[] =>
    parent.elements().flatMap((it) => [...(it.local === name ? [it] : []), ...all(it, name)]);
  const first = (parent: XmlElement | undefined, ...names: string[]) =>
    names.flatMap((name) => parent === undefined ? [] : all(parent, name))[0]?.text.trim() ?? "";
  const isCii = root.local === "CrossIndustryInvoice";
  const sums = all(
    root,
    isCii ? "SpecifiedTradeSettlementHeaderMonetarySummation" : "LegalMonetaryTotal",
  )[0];
  const settlement = isCii ? all(root, "ApplicableHeaderTradeSettlement")[0] : undefined;
  const header = isCii ? all(root, "ExchangedDocument")[0] : root;
  const day = first(header, "IssueDate", "DateTimeString");
  const amount = (...names: string[]) => Number(first(sums, ...names));
  const name = (name: string) => root.elements().filter((it) => it.local === name);
  return {
    number: header?.elements().find((it) => it.local === "ID")?.text.trim() ?? "",
    issueDate: day.replace(/^(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3"),
    currency: first(root, "DocumentCurrencyCode", "InvoiceCurrencyCode"),
    net: amount("TaxExclusiveAmount", "TaxBasisTotalAmount"),
    gross: amount("TaxInclusiveAmount", "GrandTotalAmount"),
    due: amount("PayableAmount", "DuePayableAmount"),
    lines: isCii
      ? all(root, "IncludedSupplyChainTradeLineItem").length
      : name("InvoiceLine").length + name("CreditNoteLine").length,
    breakdowns: isCii
      ? (settlement?.elements() ?? []).filter((it) => it.local === "ApplicableTradeTax").length
      : name("TaxTotal").flatMap((it) => all(it, "TaxSubtotal")).length,
  };
}
