import { assertEquals, assertThrows } from "@std/assert";
import { readCii, writeCii } from "#src/domain/cii/mod.ts";
import { detectSyntax, readDocument } from "#src/domain/document/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { parseXml } from "#src/xml/mod.ts";
import { UBL_FILES, ublInvoice, ublText } from "./ubl_data.ts";

for (const file of UBL_FILES) {
  Deno.test(`what ${file} says is read the same from its CII`, async () => {
    const invoice = await ublInvoice(file);
    const read = readCii(parseXml(writeCii(invoice)));
    assertEquals(writeCii(read), writeCii(invoice));
    // CII gives the remittance information once for all accounts, and identifiers without a scheme first.
    const { payments, seller, ...rest } = invoice;
    assertEquals({ ...read, payments, seller }, { ...rest, payments, seller, syntax: "CII" });
    assertEquals(new Set(read.seller.ids), new Set(seller.ids));
    assertEquals(read.payments.map((it) => it.account), payments.map((it) => it.account));
  });
}

Deno.test("the root element determines the syntax, and only invoices are accepted", async () => {
  const ubl = parseXml(await ublText(UBL_FILES[0] ?? ""));
  const cii = parseXml(writeCii(readDocument(ubl)));
  assertEquals([detectSyntax(ubl), detectSyntax(cii)], ["UBL", "CII"]);
  assertEquals(readDocument(cii).number, readDocument(ubl).number);
  const other = parseXml("<order/>");
  assertEquals(detectSyntax(other), undefined);
  assertThrows(() => readDocument(other), AppError, "order");
});
