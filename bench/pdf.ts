import { createInvoicePdf } from "#src/adapters/pdf/mod.ts";
import { readInvoice } from "#src/domain/ubl/mod.ts";
import { parseXml } from "#src/xml/mod.ts";

const pdf = createInvoicePdf();
const source = Deno.readTextFileSync(
  new URL("../tests/domain/data/100000-RI-00001.xml", import.meta.url),
);
const short = readInvoice(parseXml(source));
const long = {
  ...short,
  lines: Array.from({ length: 60 }, (_, index) => short.lines[index % short.lines.length])
    .filter((line) => line !== undefined),
};
await pdf.render(short, { language: "fr" });

Deno.bench("readable invoice, 2 lines, 1 page", async () => {
  await pdf.render(short, { language: "fr" });
});

Deno.bench("readable invoice, 60 lines, 5 pages", async () => {
  await pdf.render(long, { language: "fr" });
});

Deno.bench("Factur-X, 2 lines, 1 page", async () => {
  await pdf.facturX(short, { language: "fr" });
});
