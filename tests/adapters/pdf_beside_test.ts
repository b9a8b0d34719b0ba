import { assert, assertEquals, assertRejects } from "@std/assert";
import { homedir } from "node:os";
import { isolatedInvoicePdf } from "#src/adapters/pdf/isolated.ts";
import { createInvoicePdf } from "#src/adapters/pdf/mod.ts";
import type { InvoiceDocument } from "#src/domain/ubl/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { ublInvoice } from "#tests/domain/ubl_data.ts";
import { silentLog } from "#tests/support/log.ts";
import { printedPages } from "./pdf_text.ts";
import { longTest } from "#tests/support/long.ts";

const options = {
  entry: new URL("../../src/processes/pdf_process.ts", import.meta.url),
  log: silentLog,
  environment: { HOME: homedir(), DENO_DIR: Deno.env.get("DENO_DIR") ?? "" },
};

longTest(
  "PDFs are created outside the event loop with the same bytes, however long the invoice",
  async (t) => {
    const pdf = isolatedInvoicePdf(options);
    const invoice = await ublInvoice("100000-RI-00001.xml");
    const [line] = invoice.lines;
    assert(line);

    await t.step("an ordinary one", async () => {
      for (const form of ["render", "facturX"] as const) {
        const here = await createInvoicePdf()[form](invoice, { language: "fr" });
        assertEquals(await pdf[form](invoice, { language: "fr" }), here);
      }
    });
    const long: [label: string, document: InvoiceDocument, says: RegExp][] = [
      ["a note of ten megabytes is cut and says how much is left out", {
        ...invoice,
        notes: [{ text: "mot ".repeat(2_500_000) }],
      }, /… \(\+ 9950000\)/],
      ["ten thousand notes are not all printed", {
        ...invoice,
        notes: Array(10_000).fill({ text: "x" }),
      }, /… \(\+ 9800\)/],
      ["a seller with a name of a megabyte", {
        ...invoice,
        seller: { ...invoice.seller, name: "n".repeat(1_000_000) },
      }, /nnnn/],
      ["two thousand lines", { ...invoice, lines: Array(2_000).fill(line) }, /Page/],
    ];
    for (const [label, document, says] of long) {
      await t.step(label, async () => {
        let turns = 0;
        const ticking = setInterval(() => turns++, 5);
        const begun = performance.now();
        const bytes = await pdf.render(document, { language: "fr" });
        const took = performance.now() - begun;
        clearInterval(ticking);
        // In such a short time a single pause of the machine may dominate.
        assert(took < 300 || turns > took / 100, `${turns} turns in ${took} ms`);
        const printed = (await printedPages(bytes)).flat().map(({ text }) => text).join(" ");
        assert(says.test(printed), printed.slice(-300));
      });
    }
    await pdf.close();
  },
);

Deno.test("an invoice whose PDF takes too long is refused, and the next one is made", async () => {
  const pdf = isolatedInvoicePdf({ ...options, deadlineMs: 1_500 });
  const invoice = await ublInvoice("100000-RI-00001.xml");
  const endless = { ...invoice, lines: Array(50_000).fill(invoice.lines[0]) };
  await assertRejects(
    () => pdf.render(endless, { language: "fr" }),
    AppError,
    "The invoice is too long for a PDF: it took more than 1.5 s",
  );
  await pdf.close();
});
