import { assertEquals } from "@std/assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { compareInvoices, readInvoice } from "#src/domain/ubl/mod.ts";
import { isHeldSince, locateCopy } from "#src/domain/submission/copy.ts";
import { isSameElement, parseXml } from "#src/xml/mod.ts";
import { GOLDEN } from "#tests/support/product.ts";

const text = await readFile(join(GOLDEN, "ubl", "100002-RI-00001.xml"), "utf8");
const read = (xml: string) => readInvoice(parseXml(xml));
const change = (change: (xml: string) => string) =>
  compareInvoices(read(text), read(change(text))).map(({ what, before, after }) =>
    `${what.en}: ${before} → ${after}`
  );

Deno.test("the differences of two versions of an invoice name totals, parties, dates and lines", () => {
  assertEquals(change((it) => it), []);
  assertEquals(change((it) => it.replace(/(<cbc:IssueDate>)[^<]+/, "$12026-11-30")).length, 1);
  const [due] = change((it) => it.replace(/(<cbc:PayableAmount [^>]+>)[^<]+/, "$11.00"));
  assertEquals(due?.startsWith("amount due (BT-115): "), true, due);
  const [line] = change((it) => it.replace(/(<cbc:InvoicedQuantity [^>]+>)[^<]+/, "$1777"));
  assertEquals(/^line 1, quantity \(BT-129\): [\d.]+ → 777$/.test(line ?? ""), true, line);
});

Deno.test("numbers written otherwise are no difference, nor is another form of the XML", () => {
  assertEquals(
    change((it) => it.replace(/(<cbc:PayableAmount [^>]+>)(\d+\.\d\d)</, "$1$20<")),
    [],
  );
  const spaced = text.replaceAll("><", ">\n  <");
  assertEquals(isSameElement(parseXml(text).root, parseXml(spaced).root), true);
  const other = text.replace(/(<cbc:ID>)([^<]+)/, "$1$2X");
  assertEquals(isSameElement(parseXml(text).root, parseXml(other).root), false);
});

Deno.test("a copy is held once it may have left, until the PA refuses it", () => {
  assertEquals(locateCopy("9901", []), "none");
  assertEquals(locateCopy("9901", ["intent"]), "waiting");
  for (const state of ["sending", "ambiguous", "probing", "parked", "accepted"] as const) {
    assertEquals(locateCopy("9901", [state]), "held", state);
  }
  assertEquals(locateCopy("9904", ["rejected"]), "none");
  assertEquals(locateCopy("213", ["accepted"]), "none");
  for (const status of ["10", "205", "212", "210"]) {
    assertEquals(locateCopy(status, ["accepted"]), "held", status);
    assertEquals(locateCopy(status, []), "held", status);
  }
});

Deno.test("a failed resend leaves the earlier copy at the PA", () => {
  const report = (statusCode: string, reasonCode: string | null = null) => ({
    statusCode,
    reasonCode,
  });
  assertEquals(isHeldSince([report("9906"), report("10"), report("9904")]), true);
  assertEquals(isHeldSince([report("10"), report("213", "DOUBLON"), report("9904")]), true);
  assertEquals(isHeldSince([report("10"), report("213", "REJ_SEMAN"), report("9904")]), false);
  assertEquals(isHeldSince([report("9906"), report("9904")]), false);
});
