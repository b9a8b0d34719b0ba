import { PDFArray, PDFDict, PDFDocument, PDFName, PDFNumber } from "@cantoo/pdf-lib";
import { assert, assertEquals } from "@std/assert";
import { createInvoicePdf } from "#src/adapters/pdf/mod.ts";
import { ublInvoice } from "#tests/domain/ubl_data.ts";

interface Part {
  readonly role: string;
  readonly parts: readonly Part[];
  /** Number of marked contents of the part itself. */
  readonly contents: number;
}

function readPart(element: PDFDict): Part {
  const kids = element.lookup(PDFName.of("K"), PDFArray);
  const dicts = Array.from({ length: kids.size() }, (_, at) => kids.lookup(at, PDFDict));
  const isContent = (it: PDFDict) => it.has(PDFName.of("MCID"));
  return {
    role: element.lookup(PDFName.of("S"), PDFName).decodeText(),
    parts: dicts.filter((it) => !isContent(it)).map(readPart),
    contents: dicts.filter(isContent).length,
  };
}

async function readTree(lineCount: number) {
  const invoice = await ublInvoice("100000-RI-00001.xml");
  const [line] = invoice.lines;
  if (!line) throw new TypeError("the sample has no line");
  const lines = Array.from({ length: lineCount }, (_, at) => ({ ...line, id: `L${at + 1}` }));
  const bytes = await createInvoicePdf().render({ ...invoice, lines }, { language: "fr" });
  const { catalog, ...document } = await PDFDocument.load(bytes).then((it) => ({
    catalog: it.catalog,
    pages: it.getPageCount(),
  }));
  const root = catalog.lookup(PDFName.of("StructTreeRoot"), PDFDict);
  return { ...document, catalog, root, tree: readPart(root.lookup(PDFName.of("K"), PDFDict)) };
}

const all = (part: Part, role: string): Part[] => [
  ...part.role === role ? [part] : [],
  ...part.parts.flatMap((it) => all(it, role)),
];

for (const count of [3, 90]) {
  Deno.test(`a PDF of ${count} lines has headings, and one table row for each line`, async () => {
    const { catalog, pages, root, tree } = await readTree(count);
    assertEquals(tree.role, "Document");
    assertEquals(all(tree, "H1").length, 1);
    assert(all(tree, "H2").length >= 2);
    const [table] = all(tree, "Table");
    const [head, ...rows] = table?.parts ?? [];
    if (!head) throw new TypeError("the table has no head");
    assertEquals([...new Set(head.parts.map((it) => it.role))], ["TH"]);
    assertEquals(rows.length, count); // the heads of further pages are decoration
    for (const row of rows) {
      assertEquals(row.parts.map((it) => it.role), head.parts.map(() => "TD"));
    }
    const info = catalog.lookup(PDFName.of("MarkInfo"), PDFDict);
    assertEquals(String(info.get(PDFName.of("Marked"))), "true");
    assert(catalog.has(PDFName.of("Lang")));
    const parents = root.lookup(PDFName.of("ParentTree"), PDFDict)
      .lookup(PDFName.of("Nums"), PDFArray);
    assertEquals(parents.size(), 2 * pages);
    assertEquals(parents.lookup(0, PDFNumber).asNumber(), 0);
  });
}
