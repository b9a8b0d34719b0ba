import type { AllowanceCharge } from "#src/domain/ubl/mod.ts";
import { ensure } from "../flow.ts";
import { drawTable, type PageTable, tableHeight, type TableRow } from "../table.ts";
import { BODY, HEADING, PAGE, WIDTH } from "../theme.ts";
import { negateAmount, type Scene } from "./scene.ts";

const WIDTHS = { kind: 70, base: 80, rate: 60, vat: 60, amount: 78 };

/** Draws the allowances and charges of the whole document. */
export async function drawAdjustments(scene: Scene): Promise<void> {
  const { sheet, invoice, words } = scene;
  if (invoice.allowances.length + invoice.charges.length === 0) return;
  const table = getTable(scene);
  ensure(sheet, Math.min(tableHeight(sheet, table) + 14, 200));
  sheet.write(words.label.allowances, { style: HEADING, role: "H2", x: PAGE.left, y: sheet.y + 8 });
  sheet.y += 14;
  await drawTable(sheet, table);
  sheet.y += 14;
}

function getTable({ invoice, words }: Scene): PageTable {
  const { label } = words;
  const fixed = Object.values(WIDTHS).reduce((sum, width) => sum + width, 0);
  const row = (entry: AllowanceCharge, kind: string, amount: string | undefined): TableRow => ({
    cells: [
      kind,
      entry.reason ?? entry.reasonCode,
      words.amount(entry.baseAmount),
      words.percent(entry.percentage),
      entry.vat?.rate === undefined ? entry.vat?.code : words.percent(entry.vat.rate),
      words.amount(amount),
    ].map((text) => [{ text, style: BODY }]),
  });
  return {
    x: PAGE.left,
    columns: [
      { title: "", width: WIDTHS.kind, kind: "text" },
      { title: label.reason, width: WIDTH - fixed, kind: "text" },
      { title: label.base, width: WIDTHS.base, kind: "number" },
      { title: label.rate, width: WIDTHS.rate, kind: "number" },
      { title: label.vat, width: WIDTHS.vat, kind: "number" },
      { title: label.amount, width: WIDTHS.amount, kind: "number" },
    ],
    rows: [
      ...invoice.allowances.map((entry) => row(entry, label.allowance, negateAmount(entry.amount))),
      ...invoice.charges.map((entry) => row(entry, label.charge, entry.amount)),
    ],
  };
}
