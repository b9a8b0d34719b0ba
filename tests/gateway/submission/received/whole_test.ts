import { assertEquals, assertStringIncludes } from "@std/assert";
import { createInvoicePdf } from "#src/adapters/pdf/mod.ts";
import { writeCii } from "#src/domain/cii/mod.ts";
import { readInvoice } from "#src/domain/ubl/mod.ts";
import { parseXml } from "#src/xml/mod.ts";
import { printedPages } from "#tests/adapters/pdf_text.ts";
import { getQuarantine, incoming, poll, stage } from "../support.ts";
import {
  adjust,
  assignNumber,
  attachment,
  BASE_PRICE,
  line,
  locate,
  order,
  TWO_TERMS,
  withLines,
} from "./whole_documents.ts";

const PDF = "%PDF-1.7 the supplier's page";

Deno.test("a received invoice is shown whole, in the API and in the PDF", async (t) => {
  await using world = await stage();
  const { product } = world;
  const read = async (path: string) => (await product.get(`/api/invoices/${path}`)).body;
  const print = async (id: string) => {
    const file = await product.request(`/api/invoices/${id}/pdf?lang=fr`);
    const pages = await printedPages(new Uint8Array(await file.arrayBuffer()));
    return pages.flat().map((it) => it.text).join("\n").replace(/\s/g, " ");
  };

  await t.step("the base quantity of a price, gross price and discount", async () => {
    await incoming(world, withLines("SUP-BASE", line("1", { price: BASE_PRICE })));
    await poll(world);
    const { lines: [first] } = await read("SUP-BASE-PV-00000/lines");
    assertEquals(
      [first.unitPrice, first.baseQuantity, first.baseUnit, first.grossPrice, first.priceDiscount],
      [18.5, 1000, "C62", 20.5, 2],
    );
    assertStringIncludes(await print("SUP-BASE-PV-00000"), "/ 1 000");
  });

  await t.step("allowances and charges of a line, each with its reason", async () => {
    const adjustment = adjust(false, "3.00", "Fidélité") + adjust(false, "1.00", "Volume") +
      adjust(true, "0.50", "Emballage");
    await incoming(world, withLines("SUP-ADJ", line("1", { adjustment })));
    await poll(world);
    const { lines: [first] } = await read("SUP-ADJ-PV-00000/lines");
    assertEquals([first.allowance, first.charge], [4, 0.5]);
    assertEquals(first.allowances.map((it: { reason: string }) => it.reason), [
      "Fidélité",
      "Volume",
    ]);
    assertEquals(first.charges[0], {
      amount: 0.5,
      baseAmount: null,
      percentage: null,
      reason: "Emballage",
      reasonCode: "",
    });
  });

  await t.step(
    "order, delivery and hierarchy of each line, and a running sum without groups",
    async () => {
      const place = (kind: string, parent?: string) => locate("SUP-EXT", kind, parent);
      const delivery =
        "<cac:Delivery><cbc:ActualDeliveryDate>2026-09-03</cbc:ActualDeliveryDate></cac:Delivery>";
      await incoming(
        world,
        withLines(
          "SUP-EXT",
          line("1", { reference: place("GROUP") }),
          line("2", { reference: order("CMD-A") + place("DETAIL", "1") + delivery }),
          line("3", { reference: place("INFORMATION", "1") }),
          line("4", { reference: order("CMD-B") + place("DETAIL") }),
        ),
      );
      await poll(world);
      const { lines } = await read("SUP-EXT-PV-00000/lines");
      const told = lines.map((it: Record<string, unknown>) => [
        it["documentLineId"],
        it["lineKind"],
        it["parentLineId"],
        it["orderRef"],
        it["orderLineRef"],
        it["despatchRef"],
        it["deliveryDate"],
      ]);
      assertEquals(told, [
        ["1", "GROUP", "", "", "", "", ""],
        ["2", "DETAIL", "1", "CMD-A", "7", "BL-9", "2026-09-03"],
        ["3", "INFORMATION", "1", "", "", "", ""],
        ["4", "DETAIL", "", "CMD-B", "7", "BL-9", ""],
      ]);
      const page = await print("SUP-EXT-PV-00000");
      for (const part of ["CMD-A", "CMD-B", "BL-9", "Regroupement", "Rattachée à la ligne 1"]) {
        assertStringIncludes(page, part);
      }
    },
  );

  await t.step("every payment term of an EXTENDED invoice", async () => {
    await incoming(
      world,
      withLines("SUP-TERMS", line("1")).replace("<cac:TaxTotal>", `${TWO_TERMS}<cac:TaxTotal>`),
    );
    await poll(world);
    const { paymentTerms, payments } = await read("SUP-TERMS-PV-00000/details");
    assertEquals(paymentTerms, [
      { note: "Acompte", dueDate: "2026-10-01", amount: 10.2, percentage: null },
      { note: "Solde", dueDate: "", amount: 12, percentage: null },
    ]);
    assertEquals([payments[0].meansLabel, payments[0].account], [
      "Credit transfer",
      "FR7630006000011234567890189",
    ]);
    const page = await print("SUP-TERMS-PV-00000");
    assertStringIncludes(page, "Acompte · 01/10/2026 · 10,20 €");
    assertStringIncludes(page, "Solde · 12,00 €");
  });

  await t.step("every payment term of a CII invoice", async () => {
    const second =
      '<ram:SpecifiedTradePaymentTerms><ram:Description>2e</ram:Description><ram:DueDateDateTime><udt:DateTimeString format="102">20270101</udt:DateTimeString></ram:DueDateDateTime><ram:PartialPaymentAmount>11.10</ram:PartialPaymentAmount></ram:SpecifiedTradePaymentTerms>';
    const cii = writeCii(readInvoice(parseXml(assignNumber("SUP-CII"))));
    await incoming(
      world,
      cii.replace("</ram:SpecifiedTradePaymentTerms>", `$&${second}`),
    );
    await poll(world);
    const { paymentTerms } = await read("SUP-CII-PV-00000/details");
    assertEquals(paymentTerms, [
      { note: "", dueDate: "2026-10-20", amount: null, percentage: null },
      { note: "2e", dueDate: "2027-01-01", amount: 11.1, percentage: null },
    ]);
    assertStringIncludes(await print("SUP-CII-PV-00000"), "2e · 01/01/2027 · 11,10 €");
  });

  await t.step("attachments are downloads that no browser runs", async () => {
    const files = attachment("LISIBLE", "lisible.pdf", PDF) +
      attachment("DOCUMENT_ANNEXE", "../page.html", "<script>alert(1)</script>");
    await incoming(
      world,
      assignNumber("SUP-FILES").replace("<cac:AccountingSupplierParty>", `${files}$&`),
    );
    await poll(world);
    const { attachments, readableView } = await read("SUP-FILES-PV-00000/details");
    assertEquals(readableView, "attachment");
    assertEquals(
      attachments.map((it: Record<string, unknown>) => [it["fileName"], it["size"]]),
      [["lisible.pdf", PDF.length], ["../page.html", 25]],
    );
    const page = await product.request("/api/invoices/SUP-FILES-PV-00000/attachments/2");
    assertEquals(await page.text(), "<script>alert(1)</script>");
    assertEquals(
      ["content-type", "content-disposition", "x-content-type-options"].map((it) =>
        page.headers.get(it)
      ),
      ["application/octet-stream", 'attachment; filename="__page.html.bin"', "nosniff"],
    );
    const missing = await product.get("/api/invoices/SUP-FILES-PV-00000/attachments/3");
    assertEquals(missing.status, 404);
    const view = await product.request("/api/invoices/SUP-FILES-PV-00000/readable-view");
    assertEquals([await view.text(), view.headers.get("content-type")], [PDF, "application/pdf"]);
  });

  await t.step("the PA's readable view is shown if the supplier gave none", async () => {
    const [flowId] = await incoming(world, assignNumber("SUP-VIEW"));
    await poll(world);
    assertEquals((await read("SUP-VIEW-PV-00000/details")).readableView, "pa");
    const path = "/api/invoices/SUP-VIEW-PV-00000/readable-view";
    assertEquals((await product.get(path)).status, 404);
    const put = (body: string) =>
      fetch(`${product.sandbox.url}/sandbox/flows/${flowId}/readable-view`, {
        method: "PUT",
        body,
      });
    assertEquals((await put("<html>not a page to show</html>")).status, 204);
    assertEquals((await product.get(path)).status, 422);
    await put(PDF);
    assertEquals(await (await product.request(path)).text(), PDF);
  });

  await t.step("a Factur-X is its own readable view", async () => {
    const invoice = readInvoice(parseXml(assignNumber("SUP-FX")));
    const sent = new Uint8Array(await createInvoicePdf().facturX(invoice, { language: "fr" }));
    await incoming(world, sent);
    await poll(world);
    assertEquals((await read("SUP-FX-PV-00000/details")).readableView, "factur-x");
    const view = await product.request("/api/invoices/SUP-FX-PV-00000/readable-view");
    assertEquals(new Uint8Array(await view.arrayBuffer()), sent);
  });
  assertEquals((await getQuarantine(world)).total, 0);
});
